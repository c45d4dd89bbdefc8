import { turns } from './turns.ts'

/** Between two slices, others have their turn of the event loop. */
const sliceMs = 4

/** Long work of one tenant, which pauses whenever it has run for some milliseconds. */
export class Slices {
  readonly #tenant: string
  #endsAt = performance.now() + sliceMs

  constructor(tenant: string) {
    this.#tenant = tenant
  }

  /** Resolves at once, or in another turn of the event loop if this one has been used for long enough. */
  async pause(): Promise<void> {
    if (performance.now() < this.#endsAt) return
    await turns.next(this.#tenant)
    this.#endsAt = performance.now() + sliceMs
  }
}
