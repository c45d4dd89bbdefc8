/** A change of a subscriber's entitlements, as the service committed it. */
type Commit = {
  version: number
  at: number
  /**
   * If this commit is the end of an override, the time at which that end was set: a client that has received all changes up to
   * this time knows when the override ends.
   */
  announcedAt: number
}

/**
 * The versions of each subscriber's entitlements. A client must not answer with a version that is older than the changes that
 * it has received.
 */
export class History {
  readonly #commits = new Map<string, Commit[]>()
  #version = 0

  commit(subscribers: readonly string[], at: number, announcedAt = Number.POSITIVE_INFINITY): number {
    this.#version += 1
    for (const subscriber of subscribers) {
      const commits = this.#commits.get(subscriber) ?? []
      this.#commits.set(subscriber, [...commits, { version: this.#version, at, announcedAt }])
    }
    return this.#version
  }

  currentVersion(subscriber: string): number {
    return this.#commits.get(subscriber)?.at(-1)?.version ?? 0
  }

  /** The oldest version that a client may answer at `at` if it has received everything until `heardUntil`. */
  oldestVersionAt(subscriber: string, { at, heardUntil }: { at: number; heardUntil: number }): number {
    const known = (this.#commits.get(subscriber) ?? []).filter(
      (commit) => commit.at <= heardUntil || (commit.announcedAt <= heardUntil && commit.at <= at),
    )
    return known.at(-1)?.version ?? 0
  }
}
