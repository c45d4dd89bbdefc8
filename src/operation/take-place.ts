import { DomainError, Overloaded } from '../core/errors.ts'
import type { Semaphore } from '../fairness/semaphore.ts'

/** What to say when the owner holds this many places, and may have no more; and when others have taken all. */
type Refusals = { ofOne(held: number): string; ofAll: string }

/** Takes a place for a long request, or refuses: 429 if the owner has all of its own, 503 if none is left. Returns how to give it back. */
export function takePlace(places: Semaphore, owner: string, { ofOne, ofAll }: Refusals): () => void {
  const exceeded = places.exceeded(owner)
  if (exceeded === 'ofOne') {
    throw new DomainError('RATE_LIMITED', ofOne(places.heldBy(owner)), { retry_after_seconds: 5 })
  }
  if (exceeded) throw new Overloaded('too_many_places', ofAll)
  return places.take(owner)
}
