import type { Entry } from './cache.ts'
import type { Environment, Logger } from './platform.ts'
import type { ServerClock } from './server-clock.ts'
import { isStoredSnapshot, type Snapshot } from './snapshot.ts'
import { withinMs } from './within.ts'

type MaybePromise<Value> = Value | Promise<Value>

/** Keeps texts outside the process, for example in Redis, a file or `localStorage`. */
export type Store = {
  /** The text of the key, or null. */
  get(key: string): MaybePromise<string | null | undefined>
  /** Keeps the text. */
  set(key: string, value: string): MaybePromise<unknown>
  /** Forgets the key. */
  delete(key: string): MaybePromise<unknown>
}

const limitMs = 500

type Options = { store?: Store | undefined; storeOwner: string; logger?: Logger | undefined }

/** What was last known of each subscriber, for a process that starts while the service is away. */
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

  /** Not if another process has stored something newer. */
  write(subscriberId: string, { snapshot, receivedAt }: Pick<Entry, 'snapshot' | 'receivedAt'>): void {
    if (!this.#options.store) return
    const key = this.#keyOf(subscriberId)
    const write = async (store: Store) => {
      const known = toStored(await store.get(key), subscriberId)?.receivedAt ?? null
      // One from the future is of another time of the service, such as before its database was restored.
      if (known !== null && receivedAt !== null && known > receivedAt && known <= this.#clock.now()) return
      // The service's time is added to the snapshot, which a version without it can read too.
      await (snapshot ? store.set(key, JSON.stringify({ ...snapshot, [timeField]: receivedAt })) : store.delete(key))
    }
    const last = this.#writes.get(key) ?? Promise.resolve()
    const own = last.then(() => this.#try(write))
    this.#writes.set(key, own)
    own.then(() => this.#writes.get(key) === own && this.#writes.delete(key))
  }

  /** `storeOwner` tells apart whose subscribers these are, in a store that several services or organizations share. */
  #keyOf(subscriberId: string): string {
    return `entitlements:${this.#options.storeOwner}:${subscriberId}`
  }

  /** A store that fails, or hangs, costs its answers alone. */
  async #try<Result>(use: (store: Store) => MaybePromise<Result>): Promise<Result | null> {
    const { store, logger } = this.#options
    if (!store) return null
    try {
      return await withinMs(this.#environment, limitMs, async () => use(store))
    } catch (error) {
      logger?.warn('The option store failed.', { error })
      return null
    }
  }
}

const timeField = 'received_at_ms'

/** Null if the text is no snapshot of the subscriber: anybody may have written it. */
function toStored(text: unknown, subscriberId: string): Pick<Entry, 'snapshot' | 'receivedAt'> | null {
  try {
    const { [timeField]: receivedAt, ...snapshot } = JSON.parse(String(text))
    if (!isStoredSnapshot(snapshot) || snapshot.subscriber_id !== subscriberId) return null
    return { snapshot, receivedAt: typeof receivedAt === 'number' ? receivedAt : null }
  } catch {
    return null
  }
}
