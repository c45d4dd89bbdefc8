import type { Actor, UserActor } from '../access/actor.ts'
import { DomainError } from '../core/errors.ts'

const minuteMs = 60_000

type Count = { refused: number; running: number }

/**
 * Counts the recorded 403s and refused joins of each actor (a member of an organization, or a person) in the current minute of
 * this process; beyond the limit, they are answered with 429 and not recorded until the minute ends. Other refusals are not
 * limited: only members who may write get them, and a write adds an entry anyway. Contract: Audit 8.
 */
export class Refusals {
  #minute = 0
  #counts = new Map<string, Count>()
  readonly #maxPerMinute: number

  /** Refusals are limited, because entries may be kept forever and a refusal costs its sender nothing. */
  constructor(maxPerMinute = 600) {
    this.#maxPerMinute = maxPerMinute
  }

  /** Runs a join, whose entry is written before its refusal is known; throws 429 if its refusal might exceed the limit. */
  async run<Result>(actor: Actor | UserActor, work: () => Promise<Result>): Promise<Result> {
    const count = this.#take(actor)
    count.running += 1
    try {
      return await work()
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) count.refused += 1
      throw error
    } finally {
      count.running -= 1
    }
  }

  /** Counts a 403 that is about to be recorded; throws 429 if it exceeds the limit. */
  add(actor: Actor | UserActor): void {
    this.#take(actor).refused += 1
  }

  #take(actor: Actor | UserActor, nowMs = Date.now()): Count {
    const minute = Math.floor(nowMs / minuteMs)
    if (minute !== this.#minute) this.#counts = new Map()
    this.#minute = minute
    const name = 'userId' in actor ? actor.userId : `${actor.organizationId}/${actor.memberId}`
    const count = this.#counts.get(name) ?? { refused: 0, running: 0 }
    this.#counts.set(name, count)
    if (count.refused + count.running < this.#maxPerMinute) return count
    const retryAfterSeconds = Math.ceil(((minute + 1) * minuteMs - nowMs) / 1000)
    throw new DomainError(
      'RATE_LIMITED',
      `More than ${this.#maxPerMinute} of your requests were refused in this minute, so further requests are refused until the minute ends. Wait, and find out why your requests are refused.`,
      { retry_after_seconds: retryAfterSeconds },
    )
  }
}
