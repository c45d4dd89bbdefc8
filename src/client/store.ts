import type { Environment, Logger } from './platform.ts'
import { isStoredSnapshot, type Snapshot } from './snapshot.ts'
import { withinMs } from './within.ts'

type MaybePromise<Value> = Value | Promise<Value>

/** Keeps texts outside the process, for example in Redis, a file or `localStorage`. */
export type Store = {
  get(key: string): MaybePromise<string | null | undefined>
  set(key: string, value: string): MaybePromise<unknown>
  delete(key: string): MaybePromise<unknown>
}

const limitMs = 500

/** What was last known of each subscriber, for a process that starts while the service is away. */
export class LastKnown {
  readonly #store: Store | undefined
  readonly #environment: Environment
  readonly #logger: Logger | undefined

  readonly #prefix: string

  /** `owner` tells apart whose subscribers these are, in a store that several services or organizations share. */
  constructor(store: Store | undefined, owner: string, environment: Environment, logger: Logger | undefined) {
    this.#store = store
    this.#prefix = `entitlements:${owner}:`
    this.#environment = environment
    this.#logger = logger
  }

  async read(subscriberId: string): Promise<Snapshot | null> {
    const text = await this.#try((store) => store.get(this.#prefix + subscriberId))
    try {
      const known: unknown = text ? JSON.parse(text) : null
      return isStoredSnapshot(known) && known.subscriber_id === subscriberId ? known : null
    } catch {
      return null
    }
  }

  /** Null: there is no such subscriber. */
  write(subscriberId: string, snapshot: Snapshot | null): void {
    const key = this.#prefix + subscriberId
    this.#try<unknown>((store) => (snapshot ? store.set(key, JSON.stringify(snapshot)) : store.delete(key)))
  }

  /** A store that fails, or hangs, costs its answers alone. */
  async #try<Result>(use: (store: Store) => MaybePromise<Result>): Promise<Result | null> {
    const store = this.#store
    if (!store) return null
    try {
      return await withinMs(this.#environment, limitMs, async () => use(store))
    } catch (error) {
      this.#logger?.warn('The option store failed.', { error })
      return null
    }
  }
}
