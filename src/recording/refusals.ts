import type { Actor, UserActor } from '../access/actor.ts'
import { DomainError } from '../core/errors.ts'

/** Refusals of one actor that the log accepts in a minute: entries are kept forever, and refusals cost their sender nothing. */
const maxPerMinute = 600
const counted = [403, 404, 409, 422]
const minuteMs = 60_000

type Count = { refused: number; running: number }

/**
 * Counts the recorded refusals of each actor (a member in its organization, or a person) in the current minute of this process.
 * A request's entry is written before anyone knows whether it will be refused, so beyond the limit each request that would be
 * recorded is 429, until the minute ends. Contract: Audit 8.
 */
export class Refusals {
  #minute = 0
  #counts = new Map<string, Count>()

  /** Runs a recorded request, and counts its refusal; 429 if it might be one refusal too many. */
  async run<Result>(actor: Actor | UserActor, work: () => Promise<Result>): Promise<Result> {
    const count = this.#take(actor)
    count.running += 1
    try {
      return await work()
    } catch (error) {
      if (error instanceof DomainError) addTo(count, error.status)
      throw error
    } finally {
      count.running -= 1
    }
  }

  /** Counts a refusal that is about to be recorded; 429 if it is one too many. */
  add(actor: Actor | UserActor, status: number): void {
    addTo(this.#take(actor), status)
  }

  #take(actor: Actor | UserActor, nowMs = Date.now()): Count {
    const minute = Math.floor(nowMs / minuteMs)
    if (minute !== this.#minute) this.#counts = new Map()
    this.#minute = minute
    const name = 'userId' in actor ? actor.userId : `${actor.organizationId}/${actor.memberId}`
    const count = this.#counts.get(name) ?? { refused: 0, running: 0 }
    this.#counts.set(name, count)
    if (count.refused + count.running < maxPerMinute) return count
    const retryAfterSeconds = Math.ceil(((minute + 1) * minuteMs - nowMs) / 1000)
    throw new DomainError(
      'RATE_LIMITED',
      `More than ${maxPerMinute} of your requests were refused in this minute, so no more are accepted until it ends. Wait, and find out why they are refused.`,
      { retry_after_seconds: retryAfterSeconds },
    )
  }
}

function addTo(count: Count, status: number): void {
  if (counted.includes(status)) count.refused += 1
}
