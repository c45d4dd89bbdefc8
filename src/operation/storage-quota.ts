import type { StoredByteCount } from '../access/rights.ts'
import { conflict, type DomainError } from '../core/errors.ts'

/** Approximate bytes that a write stores besides its input: its log entry with index entries, and its event. */
const writeBytes = 2048
/** The maximum number of organizations to remember; for a forgotten organization, only the last count is used. */
const maxRemembered = 50_000

/** Counts bytes towards a cap: call `add` once one or several writes have committed. */
type QuotaReservation = { add(written: unknown, writes?: number): void }

type AddedBytes = { countedAt: number; bytes: number }

/**
 * Decides whether an organization may store more. A worker counts its bytes from time to time (decision 32); until the next
 * count, this process adds an estimate for its own writes.
 */
export class StorageQuota {
  readonly #maxStoredBytes: number | null
  readonly #added = new Map<string, AddedBytes>()

  constructor(maxStoredBytes: number | null) {
    this.#maxStoredBytes = maxStoredBytes
  }

  /** Returns 409 if the organization has reached its cap, else null. `stored` is null if it was never counted. */
  findRefusal(organizationId: string, stored: StoredByteCount | null): DomainError | null {
    const cap = this.#capOf(stored)
    if (cap === null) return null
    const { bytes } = this.#addedSince(organizationId, stored)
    return Number(stored?.total ?? 0) + bytes >= cap ? capReached(cap) : null
  }

  /** Throws 409 if the organization has reached its cap; returns null if it has no cap. */
  reserve(organizationId: string, stored: StoredByteCount | null): QuotaReservation | null {
    const refusal = this.findRefusal(organizationId, stored)
    if (refusal) throw refusal
    if (this.#capOf(stored) === null) return null
    const added = this.#addedSince(organizationId, stored)
    return {
      add(written, writes = 1) {
        added.bytes += writes * writeBytes + weightOf(written)
      },
    }
  }

  /** The cap in force; null is unlimited. As stored, null is the server's default, and -1 is unlimited. */
  #capOf(stored: StoredByteCount | null): number | null {
    const own = stored?.cap ?? null
    if (own === null) return this.#maxStoredBytes
    return own < 0n ? null : Number(own)
  }

  #addedSince(organizationId: string, stored: StoredByteCount | null): AddedBytes {
    const countedAt = stored?.countedAt?.getTime() ?? 0
    const known = this.#added.get(organizationId)
    if (known && known.countedAt >= countedAt) return known
    const added = { countedAt, bytes: 0 }
    this.#added.delete(organizationId)
    this.#added.set(organizationId, added)
    if (this.#added.size > maxRemembered) this.#added.delete(this.#added.keys().next().value as string)
    return added
  }
}

function capReached(cap: number): DomainError {
  return conflict(
    { field: 'stored_bytes', value: cap },
    `The organization stores its maximum of ${cap} bytes, so nothing was added. Delete what is no longer needed, or ask the operator of this server to raise the limit (npm run org:limits). Freed space is counted within minutes.`,
  )
}

/** An estimate of a value's bytes. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (value === null || typeof value !== 'object' || value instanceof Date) return 8
  const parts = value instanceof Map ? [...value.keys(), ...value.values()] : Object.values(value)
  return parts.reduce((sum: number, part) => sum + weightOf(part), 0)
}
