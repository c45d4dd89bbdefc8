import { DomainError, Overloaded } from '../core/errors.ts'
import type { Semaphore } from '../fairness/semaphore.ts'

/** The messages of refusals: when the owner has as many slots as it may have, and when all slots are taken. */
type Refusals = { ofOne(held: number): string; ofAll: string }

/**
 * Does the work of a long request in a slot. Refuses with 429 if the owner already has as many slots as it may have, and with
 * 503 if no slot is free.
 */
export async function withSlot<Result>(
  slots: Semaphore,
  owner: string,
  refusals: Refusals,
  work: () => Promise<Result>,
): Promise<Result> {
  assertFree(slots, owner, refusals)
  return slots.run(owner, work)
}

/** Takes a slot until the signal aborts, for work that continues after the operation. Refuses like `withSlot`. */
export function takeSlotUntil(closed: AbortSignal, slots: Semaphore, owner: string, refusals: Refusals): void {
  assertFree(slots, owner, refusals)
  onceAborted(closed, slots.take(owner))
}

export function onceAborted(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) callback()
  else signal.addEventListener('abort', callback, { once: true })
}

function assertFree(slots: Semaphore, owner: string, { ofOne, ofAll }: Refusals): void {
  const exceeded = slots.exceededLimit(owner)
  if (exceeded === 'ofOne') {
    throw new DomainError('RATE_LIMITED', ofOne(slots.unitsHeldBy(owner)), { retry_after_seconds: 5 })
  }
  if (exceeded) throw new Overloaded('too_many_places', ofAll)
}
