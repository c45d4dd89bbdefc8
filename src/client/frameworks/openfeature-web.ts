import {
  type EvaluationContext,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  type ResolutionDetails,
} from '@openfeature/web-sdk'
import { createEntitlements, type Entitlements } from '../entitlements.ts'
import type { FeatureKey } from '../keys.ts'
import type { EntitlementsOptions } from '../options.ts'
import { type Detail, defaultDetail, fallbackDetail, type Snapshot } from '../snapshot.ts'
import { toSubscriberId } from '../subscriber-id.ts'
import { keepFresh } from './keep-fresh.ts'
import { type FlagKeys, featureOf, flagsOf, withoutKeys } from './openfeature-keys.ts'
import {
  noTargetingKey,
  type Resolution,
  toFailure,
  toResolution,
  unknownSubscriber,
} from './openfeature-resolution.ts'
import { reportState } from './openfeature-state.ts'

export type ProviderClient = Pick<Entitlements, 'peek' | 'snapshot' | 'on' | 'close'>

type ClientOptions = Omit<EntitlementsOptions, 'apiKey' | 'token'> & {
  /** A token of the subscriber, or a function that gets a token from your backend. Never an API key. */
  token?: string | ((subscriber: string) => string | Promise<string>)
}

export type ProviderOptions = ClientOptions & FlagKeys

/**
 * A provider for OpenFeature's web SDK. The context's targeting key is the subscriber; while it is not set, every flag has its
 * default. The provider answers from memory, and follows the service's changes.
 *
 * ```ts
 * const provider = new EntitlementsWebProvider({ baseUrl, token: (subscriber) => fetchToken(subscriber) })
 * await OpenFeature.setProviderAndWait(provider, { targetingKey: 'cust_4711' })
 * ```
 */
export class EntitlementsWebProvider implements Provider {
  readonly metadata = { name: 'entitlements' } as const
  readonly runsOn = 'client'
  readonly events = new OpenFeatureEventEmitter()
  readonly #given: ProviderClient | ClientOptions
  readonly #keys: FlagKeys
  #followed: FollowedClient | null = null

  /** Takes the options of a client and `keys`, or your own client and `{ keys }`. The provider never closes your client. */
  constructor(clientOrOptions: ProviderClient | ProviderOptions, flagKeys: FlagKeys = {}) {
    const [given, keys] = withoutKeys<ProviderClient, ClientOptions>(clientOrOptions, isClient, flagKeys)
    this.#given = given
    this.#keys = keys
  }

  async initialize(context: EvaluationContext = {}): Promise<void> {
    await this.#follow(keyOf(context))
  }

  onContextChange(_old: EvaluationContext, context: EvaluationContext): Promise<void> | void {
    const targetingKey = keyOf(context)
    if (targetingKey !== this.#followed?.subscriber) return this.#follow(targetingKey)
  }

  async onClose(): Promise<void> {
    this.#followed?.close()
    this.#followed = null
  }

  resolveBooleanEvaluation(flagKey: string, fallback: boolean, context: EvaluationContext) {
    return this.#resolve(flagKey, fallback, context)
  }

  resolveStringEvaluation(flagKey: string, fallback: string, context: EvaluationContext) {
    return this.#resolve(flagKey, fallback, context)
  }

  resolveNumberEvaluation(flagKey: string, fallback: number, context: EvaluationContext) {
    return this.#resolve(flagKey, fallback, context)
  }

  resolveObjectEvaluation<T extends JsonValue>(flagKey: string, fallback: T, context: EvaluationContext) {
    return this.#resolve(flagKey, fallback, context)
  }

  /** Throws if the subscriber does not exist, or if the service does not answer and there is no last known answer. */
  async #follow(subscriber: string | undefined): Promise<void> {
    this.#followed?.close()
    this.#followed = null
    if (!subscriber) return
    const reportChange = (features: string[]) => {
      this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: flagsOf(features, this.#keys) })
    }
    const followed = new FollowedClient(subscriber, this.#given, { events: this.events, tell: reportChange })
    this.#followed = followed
    await followed.start()
  }

  #resolve<Value>(flagKey: string, fallback: Value, context: EvaluationContext): ResolutionDetails<Value> {
    return this.#answer(flagKey, fallback, keyOf(context)) as ResolutionDetails<Value>
  }

  #answer<Value>(flagKey: string, fallback: Value, subscriber: string | undefined): Resolution<Value> {
    if (!subscriber) return toFailure(fallback, ...noTargetingKey)
    const feature = featureOf(flagKey, this.#keys)
    const detail = this.#followed?.subscriber === subscriber ? this.#followed.peek(feature) : null
    if (detail) return toResolution(feature, detail, fallback)
    return toFailure(fallback, 'GENERAL', 'There is no answer for this flag yet.')
  }
}

/** The targeting key as text: in JavaScript, it may be a number, or null for none. */
function keyOf({ targetingKey }: EvaluationContext): string | undefined {
  if (targetingKey === undefined || targetingKey === null) return undefined
  return toSubscriberId(targetingKey, 'targetingKey')
}

/** The client of the context's subscriber. A token is valid for one subscriber, so each subscriber has its own client. */
class FollowedClient {
  readonly subscriber: string
  readonly #client: ProviderClient
  readonly #isOwn: boolean
  readonly #defaults: { readonly [feature: string]: unknown }
  readonly #events: OpenFeatureEventEmitter
  readonly #tell: (features: string[]) => void
  #known: Snapshot | null = null
  /** The number of the last request, so that a late answer to an earlier request does not replace a newer answer. */
  #asked = 0
  #answered = 0
  #stops: (() => void)[] = []
  #isClosed = false

  constructor(
    subscriber: string,
    given: ProviderClient | ClientOptions,
    { events, tell }: { events: OpenFeatureEventEmitter; tell: (features: string[]) => void },
  ) {
    this.subscriber = subscriber
    this.#isOwn = !isClient(given)
    this.#client = isClient(given) ? given : createEntitlements(toOptions(given, subscriber))
    this.#defaults = isClient(given) ? {} : (given.defaults ?? {})
    this.#events = events
    this.#tell = tell
  }

  /**
   * Returns the client's cached answer, or else the feature's default. Without either, returns a denial for an unknown feature,
   * and null otherwise, for example after an override has ended.
   */
  peek(feature: string): Detail | null {
    const detail = this.#client.peek(this.subscriber, feature as FeatureKey)
    if (detail) return detail
    const isUnknown = this.#known?.entitlements.every((each) => each.feature !== feature) ?? false
    const answer = this.#defaultOf(feature, isUnknown ? 'unknown_feature' : 'unavailable')
    return answer ?? (isUnknown ? fallbackDetail(false, 'unknown_feature') : null)
  }

  async start(): Promise<void> {
    try {
      this.#known = await this.#client.snapshot(this.subscriber)
      if (!this.#known) throw new Error(unknownSubscriber[1])
    } finally {
      if (!this.#isClosed) this.#listen()
    }
  }

  close(): void {
    this.#isClosed = true
    for (const stop of this.#stops) stop()
    if (this.#isOwn) this.#client.close()
  }

  #listen(): void {
    const [client, events] = [this.#client, this.#events]
    this.#stops = [
      reportState(client, (name, details) => events.emit(ProviderEvents[name], details), this.#known === null),
      keepFresh(client, { subscriber: this.subscriber, ask: () => this.#ask() }),
    ]
  }

  #defaultOf(feature: string, problem: Detail['problem']): Detail | null {
    return Object.hasOwn(this.#defaults, feature) ? defaultDetail(this.#defaults[feature], problem) : null
  }

  async #ask(): Promise<void> {
    this.#asked += 1
    const number = this.#asked
    // An unreachable service was already reported by an event.
    const snapshot = await this.#client.snapshot(this.subscriber).catch(() => this.#known)
    if (this.#isClosed || number < this.#answered) return
    this.#answered = number
    const features = findChangedFeatures(this.#known, snapshot)
    this.#known = snapshot
    if (features.length > 0) this.#tell(features)
  }
}

function isClient(given: ProviderClient | ClientOptions): given is ProviderClient {
  return 'peek' in given
}

function toOptions({ token, ...options }: ClientOptions, subscriber: string): EntitlementsOptions {
  if (typeof token !== 'function') return { ...options, ...(token !== undefined && { token }) }
  return { ...options, token: async () => token(subscriber) }
}

/** The features whose entitlement has changed. */
function findChangedFeatures(before: Snapshot | null, after: Snapshot | null): string[] {
  const [old, now] = [jsonByFeature(before), jsonByFeature(after)]
  return [...new Set([...old.keys(), ...now.keys()])].filter((feature) => old.get(feature) !== now.get(feature))
}

function jsonByFeature(snapshot: Snapshot | null): Map<string, string> {
  return new Map(snapshot?.entitlements.map((item) => [item.feature, JSON.stringify(item)]))
}
