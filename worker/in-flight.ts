/** The attempts of all organizations that a process may have in flight, so that its sockets and memory are bounded. */
const most = 1024

/** Counts the attempts in flight of all organizations. */
export class InFlight {
  #count = 0

  /**
   * Whether an organization that has so many in flight may have one more, while so many organizations have events. The first
   * may always leave: an organization whose receiver hangs delays no other.
   */
  mayAdd(ofOne: number, organizations: number): boolean {
    if (ofOne === 0) return true
    return this.#count < most && ofOne < most / organizations
  }

  async run<T>(attempt: () => Promise<T>): Promise<T> {
    this.#count++
    try {
      return await attempt()
    } finally {
      this.#count--
    }
  }
}
