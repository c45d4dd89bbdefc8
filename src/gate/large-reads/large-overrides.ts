import { Overloaded } from '../../core/errors.ts'
import type { FairQueue } from '../../fairness/fair-queue.ts'
import { MemoryReservation } from '../../fairness/memory-reservation.ts'
import type { OverrideInForce } from '../resolution/entitlement.ts'
import { loadLargeOverrides, type RequestedOverrides } from './load-large-overrides.ts'
import type { RunRead } from './run-read.ts'

type LargeOverridesOptions = {
  read: RunRead
  queue: FairQueue
  /** The maximum time that a request waits in the queue, and the time limit of a read. */
  timeoutMs: number
  /** The maximum time for sending an answer. */
  answerTimeoutMs: number
}

/** Reads for the organization use the owner's share. */
type Payer = { organizationId: string; ownerId: string }

/** One eval's request; `now` is the time at which the eval was counted. */
type LargeOverridesRequest = RequestedOverrides & Payer & { now: Date; bytes: number }

/** A subscriber's overrides, shared by all evals that requested the same ones. Each eval keeps and releases `reservation`. */
type LoadedOverrides = { overrides: ReadonlyMap<string, OverrideInForce>; reservation: MemoryReservation }

type Group = LargeOverridesRequest & {
  promise: Promise<LoadedOverrides>
  resolve: (loaded: LoadedOverrides) => void
  reject: (error: unknown) => void
  timer: NodeJS.Timeout
}

/** The approximate maximum of bytes that one statement reads. */
const maxBatchBytes = 1024 * 1024

/**
 * Reads the overrides that are too large for the gate's statement. Evals that wait for the same overrides share one read, and
 * one statement reads the overrides of several subscribers of an organization. A read begins after the evals that it answers
 * were decided, so its data is at least as new as the decisions.
 */
export class LargeOverrides {
  readonly #options: LargeOverridesOptions
  /** Requests whose read has not begun, by organization and then by request. */
  readonly #waiting = new Map<string, Map<string, Group>>()

  constructor(options: LargeOverridesOptions) {
    this.#options = options
  }

  load(request: LargeOverridesRequest): Promise<LoadedOverrides> {
    const { organizationId, subscriberId, features, now } = request
    const groups = this.#waiting.get(organizationId) ?? new Map<string, Group>()
    // Ids and keys contain no white space, so different requests have different names.
    const name = `${subscriberId} ${features?.join(',') ?? ''}`
    const known = groups.get(name)
    if (known !== undefined) {
      if (now < known.now) known.now = now
      return known.promise
    }
    const group = this.#toGroup(request, () => groups.delete(name))
    groups.set(name, group)
    if (groups.size === 1) {
      this.#waiting.set(organizationId, groups)
      this.#queue(request, groups)
    }
    return group.promise
  }

  #toGroup(request: LargeOverridesRequest, forget: () => void): Group {
    const promises = Promise.withResolvers<LoadedOverrides>()
    const timer = setTimeout(() => {
      forget()
      promises.reject(
        new Overloaded('waited_too_long', 'The overrides could not be read in time. Try again in a moment.'),
      )
    }, this.#options.timeoutMs)
    return { ...request, ...promises, timer }
  }

  #queue(payer: Payer, groups: Map<string, Group>): void {
    let bytes = 0
    for (const group of groups.values()) bytes += group.bytes
    const readNext = async () => {
      const batch = takeBatch(groups, maxBatchBytes)
      if (groups.size > 0) this.#queue(payer, groups)
      else this.#waiting.delete(payer.organizationId)
      if (batch.length > 0) await this.#read(payer, batch)
    }
    const share = { owner: payer.ownerId, part: payer.organizationId }
    this.#options.queue.run(share, readNext, Math.min(bytes, maxBatchBytes)).catch((error) => {
      for (const { timer, reject } of takeBatch(groups, Number.POSITIVE_INFINITY)) {
        clearTimeout(timer)
        reject(error)
      }
    })
  }

  async #read(payer: Payer, batch: Group[]): Promise<void> {
    for (const { timer } of batch) clearTimeout(timer)
    const now = batch.reduce(
      (earliest, group) => (group.now < earliest ? group.now : earliest),
      (batch[0] as Group).now,
    )
    const { queue, read, timeoutMs, answerTimeoutMs: maxMs } = this.#options
    try {
      const loaded = await read((pool) => loadLargeOverrides({ pool, timeoutMs }, { ...payer, requested: batch, now }))
      for (const [index, { resolve }] of batch.entries()) {
        const { overrides, bytes } = loaded[index] as (typeof loaded)[number]
        resolve({ overrides, reservation: new MemoryReservation(queue, payer.ownerId, { bytes, maxMs }) })
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}

/** Removes and returns the groups that waited longest, up to `maxBytes` together, but at least one. */
function takeBatch(groups: Map<string, Group>, maxBytes: number): Group[] {
  const batch: Group[] = []
  let bytes = 0
  for (const [name, group] of groups) {
    bytes += group.bytes
    if (batch.length > 0 && bytes > maxBytes) break
    batch.push(group)
    groups.delete(name)
  }
  return batch
}
