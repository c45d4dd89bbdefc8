/**
 * The organization of each key seen lately, so that an eval can carry the catalog version held for it.
 * It grants nothing: the statement looks up every key anew.
 */
export class KnownKeys {
  readonly #organizations = new Map<string, string>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  organizationOf(keyHash: string): string | undefined {
    return this.#organizations.get(keyHash)
  }

  /** The key remembered longest ago makes room for a new one. */
  remember(keyHash: string, organizationId: string): void {
    if (this.#organizations.get(keyHash) === organizationId) return
    this.#organizations.set(keyHash, organizationId)
    if (this.#organizations.size <= this.#max) return
    for (const oldest of this.#organizations.keys()) {
      this.#organizations.delete(oldest)
      return
    }
  }
}
