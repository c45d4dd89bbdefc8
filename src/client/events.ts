import type { EntitlementsError } from './api/errors.ts'
import type { Logger } from './platform.ts'

/** The events that the client emits. */
export type Events = {
  /** The service was reached, for the first time or again. */
  ready: Record<string, never>
  /** The subscriber's answers may have changed: for these features, or for any feature if null. */
  changed: { subscriber: string; features: readonly string[] | null }
  /** The feed of changes is silent. Until it resumes, the client requests answers again before it uses them. */
  stale: { reason: string }
  /** The service does not answer. Until it does, the option `onUnavailable` determines the client's answers. */
  unavailable: { error: EntitlementsError }
  /** The organization exceeds its rate limit, so the client uses cached answers. Emitted at most once a minute. */
  rate_limited: { error: EntitlementsError }
  /** A request failed. */
  error: { error: EntitlementsError }
}

export type Listener<Name extends keyof Events> = (event: Events[Name]) => void

export class Emitter {
  readonly #listeners = new Map<keyof Events, Set<Listener<never>>>()
  readonly #logger: Logger | undefined

  constructor(logger: Logger | undefined) {
    this.#logger = logger
  }

  /** Returns a function that removes the listener. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Name>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  has(name: keyof Events): boolean {
    return (this.#listeners.get(name)?.size ?? 0) > 0
  }

  /** A listener that throws stops neither the others nor the client. */
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        ;(listener as Listener<Name>)(event)
      } catch (error) {
        this.#logger?.error(`A listener of "${name}" failed.`, { error })
      }
    }
  }
}
