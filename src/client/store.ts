import type { Entry } from './cache.ts'
import type { Environment, Logger } from './platform.ts'
import type { ServerClock } from './server-clock.ts'
import { isStoredSnapshot, type Snapshot } from './snapshot.ts'
import { withinMs } from './within.ts'

type MaybePromise<Value> = Value | Promise<Value>

/** Stores texts outside the process, for example in Redis, a file or `localStorage`. */
export type Store = {
  /** Returns the text of the key; null if there is none. */
  get(key: string): MaybePromise<string | null | undefined>
  /** Stores the text under the key. */
  set(key: string, value: string): MaybePromise<unknown>
  /** Deletes the key and its text. */
  delete(key: string): MaybePromise<unknown>
}

const storeTimeoutMs = 500

type Options = { store?: Store | undefined; storeOwner: string; logger?: Logger | undefined }

/** Keeps the last known answers in the store, for a process that starts while the service is unavailable. */
export class LastKnown {
  readonly #options: Options
  readonly #environment: Environment
  readonly #clock: ServerClock
  /** The last write of each key: they run one after the other. */
  readonly #writes = new Map<string, Promise<unknown>>()

  constructor(options: Options, environment: Environment, clock: ServerClock) {
    this.#options = options
    this.#environment = environment
    this.#clock = clock
  }

  async read(subscriberId: string): Promise<Snapshot | null> {
    const text = await this.#try((store) => store.get(this.#keyOf(subscriberId)))
    return toStored(text, subscriberId)?.snapshot ?? null
  }

  /** Does nothing if another process has stored a newer answer. */
  write(subscriberId: string, { snapshot, receivedAt }: Pick<Entry, 'snapshot' | 'receivedAt'>): void {
    if (!this.#options.store) return
    const key = this.#keyOf(subscriberId)
    const write = async (store: Store) => {
      const known = toStored(await store.get(key), subscriberId)?.receivedAt ?? null
      // A time in the future is not trusted: the service may have had another clock, as before its database was restored.
      if (known !== null && receivedAt !== null && known > receivedAt && known <= this.#clock.now()) return
      // The service's time is an additional field of the snapshot, so older versions can still read the text.
      await (snapshot ? store.set(key, JSON.stringify({ ...snapshot, [timeField]: receivedAt })) : store.delete(key))
    }
    const last = this.#writes.get(key) ?? Promise.resolve()
    const own = last.then(() => this.#try(write))
    this.#writes.set(key, own)
    own.then(() => this.#writes.get(key) === own && this.#writes.delete(key))
  }

  /** `storeOwner` separates the subscribers of several services or organizations that share a store. */
  #keyOf(subscriberId: string): string {
    return `entitlements:${this.#options.storeOwner}:${subscriberId}`
  }

  /** Null if the store fails or hangs: the client then works without it. */
  async #try<Result>(use: (store: Store) => MaybePromise<Result>): Promise<Result | null> {
    const { store, logger } = this.#options
    if (!store) return null
    try {
      return await withinMs(this.#environment, storeTimeoutMs, async () => use(store))
    } catch (error) {
      logger?.warn('The store passed in the option `store` failed.', { error })
      return null
    }
  }
}

const timeField = 'received_at_ms'

/** Null if the text is not a snapshot of the subscriber. The store is not trusted, because others may write to it. */
function toStored(text: unknown, subscriberId: string): Pick<Entry, 'snapshot' | 'receivedAt'> | null {
  try {
    const { [timeField]: receivedAt, ...snapshot } = JSON.parse(String(text))
    if (!isStoredSnapshot(snapshot) || snapshot.subscriber_id !== subscriberId) return null
    return { snapshot, receivedAt: typeof receivedAt === 'number' ? receivedAt : null }
  } catch {
    return null
  }
}
