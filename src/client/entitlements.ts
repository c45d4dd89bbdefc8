import { createApi } from './api/api.ts'
import type { Api } from './api/operation-types.ts'
import type { Entry } from './cache.ts'
import { consoleLogger } from './console-logger.ts'
import { Emitter, type Events, type Listener } from './events.ts'
import type { ConfigKey, ConfigValue, FeatureKey, LimitKey } from './keys.ts'
import { Knowledge, unknownMaxAgeMs } from './knowledge.ts'
import { type CompleteOptions, completeOptions, type EntitlementsOptions, unknownOptions } from './options.ts'
import { type Environment, environmentOf } from './platform.ts'
import { type Detail, defaultDetail, type From, fallbackDetail, type Snapshot, toDetail } from './snapshot.ts'
import { type SubscriberId, toSubscriberId } from './subscriber-id.ts'
import { type HeadersLike, readWebhook, type WebhookAnswer } from './webhook.ts'

/** Matches the operations that can change answers. Others, such as creating a token for each page, must not cause evals. */
const operationsThatChangeAnswers = /(Feature|Plan|Subscribers?|Subscription|Override)$/

/** Logs at most this many different warnings. */
const maxWarnings = 1_000

/** Answers what a subscriber may use, and how much, from memory. Asks the service when an answer may be outdated. */
export class Entitlements {
  /** Every operation of the REST API. After a write, the client requests again the answers that the write may have changed. */
  readonly api: Api
  readonly #options: CompleteOptions
  readonly #environment: Environment
  readonly #emitter: Emitter
  readonly #knowledge: Knowledge
  readonly #warned = new Set<string>()

  /** `environment` replaces time and network in tests. */
  constructor(options: EntitlementsOptions, environment = environmentOf(options.fetch)) {
    const logger = options.logger ?? consoleLogger(environment)
    this.#options = { ...completeOptions(options), logger }
    for (const name of unknownOptions(options)) logger.warn(`There is no option "${name}".`)
    this.#environment = environment
    this.#emitter = new Emitter(logger)
    this.#knowledge = new Knowledge(this.#options, environment, this.#emitter)
    const { server } = this.#knowledge
    const onWrite = (operation: string, { subscriber_id: id, dry_run }: Readonly<Record<string, unknown>>) => {
      if (!operationsThatChangeAnswers.test(operation) || dry_run === true) return
      this.#knowledge.markOutdated(typeof id === 'string' || typeof id === 'number' ? String(id) : null)
    }
    const { baseUrl, authorization, renewing } = server
    this.api = createApi({ baseUrl, authorization, renewing, onWrite }, environment)
  }

  /** Whether the subscriber may use the feature. */
  async check(subscriberId: SubscriberId, feature: FeatureKey): Promise<boolean> {
    const id = toSubscriberId(subscriberId)
    const item = this.#fresh(id)?.items.get(feature)
    return item ? item.allowed : (await this.checkDetail(id, feature)).allowed
  }

  /** The limit: `Infinity` if it is unlimited, 0 if nothing grants the feature. */
  async limit(subscriberId: SubscriberId, feature: LimitKey): Promise<number> {
    return (await this.#detailOfKind('limit', subscriberId, feature as FeatureKey)).limit ?? 0
  }

  /** The value of a config, or null if nothing grants the feature. */
  async value<Value = never, Key extends ConfigKey = ConfigKey>(
    subscriberId: SubscriberId,
    feature: Key,
  ): Promise<([Value] extends [never] ? ConfigValue<Key> : Value) | null> {
    const { kind, from, allowed, value } = await this.#detailOfKind('config', subscriberId, feature as FeatureKey)
    // A default of true or false has the kind `flag`, even for a feature that is a config.
    return (kind === 'flag' && from === 'default' ? allowed : value) as never
  }

  /** The answer, with its source and its age. */
  async checkDetail(subscriber: SubscriberId, feature: FeatureKey): Promise<Detail> {
    const subscriberId = toSubscriberId(subscriber)
    const fresh = this.#fresh(subscriberId)
    const detail = fresh && this.#detailOf(fresh, feature, 'cache')
    if (detail) return detail
    try {
      const entry = await this.#knowledge.ask(subscriberId)
      return this.#detailOf(entry, feature, 'network') ?? this.#unknownFeature(feature)
    } catch (error) {
      const isLimited = (error as { status?: unknown }).status === 429
      return this.#unavailable(subscriberId, feature, isLimited ? 'rate_limited' : 'unavailable')
    }
  }

  /** The cached answer, outdated or not, without asking the service; null if there is none. */
  peek(subscriberId: SubscriberId, feature: FeatureKey): Detail | null {
    const entry = this.#knowledge.get(toSubscriberId(subscriberId))
    if (!entry) return null
    return this.#knowledge.isFresh(entry) ? this.#detailOf(entry, feature, 'cache') : this.#lastKnownOf(entry, feature)
  }

  /**
   * All entitlements of a subscriber; null if the subscriber is unknown. If the service does not answer, returns the last known
   * entitlements. Throws if there are none, or if `onUnavailable` is not `last-known`.
   */
  async snapshot(subscriber: SubscriberId): Promise<Snapshot | null> {
    const subscriberId = toSubscriberId(subscriber)
    const fresh = this.#fresh(subscriberId)
    if (fresh) return fresh.snapshot
    try {
      return (await this.#knowledge.ask(subscriberId)).snapshot
    } catch (error) {
      const usesLastKnown = this.#options.onUnavailable === 'last-known'
      const known = usesLastKnown ? await this.#knowledge.loadLastKnown(subscriberId) : null
      if (known) return known.snapshot
      throw error
    }
  }

  /** Asks the service, even if an answer is cached. Throws if the service does not answer. */
  async refresh(subscriberId: SubscriberId): Promise<Snapshot | null> {
    return (await this.#knowledge.refresh(toSubscriberId(subscriberId))).snapshot
  }

  /** Calls the listener for each event of this name from now on. Returns a function that removes the listener. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Name>): () => void {
    return this.#emitter.on(name, listener)
  }

  /**
   * Resolves once the service has answered; with `freshness: 'feed'`, once the feed of changes has started. Throws if the
   * service refuses the request, or does not answer in time.
   */
  async waitUntilReady({ timeoutMs = 10_000 }: { timeoutMs?: number } = {}): Promise<void> {
    await this.#knowledge.waitUntilReady(timeoutMs)
  }

  /** Handles a webhook: pass the raw body, and answer the request with the returned `status`. */
  async handleWebhook(rawBody: string | Uint8Array, headers: HeadersLike): Promise<WebhookAnswer> {
    const { secrets, logger } = this.#options
    const answer = await readWebhook(rawBody, headers, { secrets, clock: this.#knowledge.clock })
    if (answer.event) this.#knowledge.applyChange(answer.event)
    else logger?.warn('A webhook was refused.', { problem: answer.problem })
    return answer
  }

  /** Stops following changes and asking the service. Cached answers can still be read. */
  async close(): Promise<void> {
    this.#knowledge.close()
  }

  #fresh(subscriberId: string): Entry | null {
    const entry = this.#knowledge.get(subscriberId)
    return entry && this.#knowledge.isFresh(entry) ? entry : null
  }

  /** Null if the answer lacks the feature, but is too old to prove that the catalog has no such feature. */
  #detailOf(entry: Entry, feature: string, from: From): Detail | null {
    const ageMs = this.#knowledge.ageOf(entry)
    const item = entry.items.get(feature)
    if (item) return toDetail(item, from, ageMs)
    if (!entry.snapshot) return { ...fallbackDetail(false, 'unknown_subscriber'), from, ageMs }
    // Webhooks do not announce new features.
    const isNew = this.#knowledge.receivesCatalogChanges || this.#environment.now() - entry.sentAt <= unknownMaxAgeMs
    return isNew ? this.#unknownFeature(feature) : null
  }

  async #detailOfKind(kind: 'limit' | 'config', subscriberId: SubscriberId, feature: FeatureKey): Promise<Detail> {
    const detail = await this.checkDetail(subscriberId, feature)
    // A config's default may have any type.
    const isDefault = kind === 'config' && detail.from === 'default'
    if (detail.kind !== null && detail.kind !== kind && !isDefault) {
      const right = { flag: 'check', limit: 'limit', config: 'value' }[detail.kind]
      this.#warn(`The feature "${feature}" is a ${detail.kind}: use ${right}() instead.`)
    }
    return detail
  }

  /** Logs each message only once. */
  #warn(message: string): void {
    if (this.#warned.has(message) || this.#warned.size >= maxWarnings) return
    this.#warned.add(message)
    this.#options.logger?.warn(message)
  }

  #unknownFeature(feature: string): Detail {
    this.#warn(`The catalog has no feature "${feature}".`)
    return this.#defaultOf(feature, 'unknown_feature') ?? fallbackDetail(false, 'unknown_feature')
  }

  async #unavailable(subscriberId: string, feature: string, problem: Detail['problem']): Promise<Detail> {
    const { onUnavailable } = this.#options
    if (onUnavailable === 'last-known') {
      const entry = await this.#knowledge.loadLastKnown(subscriberId)
      const known = entry && this.#lastKnownOf(entry, feature)
      if (known) return known
    }
    return this.#defaultOf(feature, problem) ?? fallbackDetail(onUnavailable === 'allow', problem)
  }

  #defaultOf(feature: string, problem: Detail['problem']): Detail | null {
    const { defaults } = this.#options
    return Object.hasOwn(defaults, feature) ? defaultDetail(defaults[feature], problem) : null
  }

  /** Null if the answer lacks the feature, or if its override has ended: the value without the override is unknown. */
  #lastKnownOf(entry: Entry, feature: string): Detail | null {
    const item = entry.items.get(feature)
    if (!item) return entry.snapshot ? null : this.#detailOf(entry, feature, 'last-known')
    if (item.expires_at !== null && Date.parse(item.expires_at) <= this.#knowledge.clock.now()) return null
    return toDetail(item, 'last-known', this.#knowledge.ageOf(entry))
  }
}

/** Creates a client that answers from memory. Call `close` when you no longer need it. */
export function createEntitlements(options: EntitlementsOptions): Entitlements {
  return new Entitlements(options)
}
