import {
  type EvaluationContext,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  type ResolutionDetails,
} from '@openfeature/server-sdk'
import { createEntitlements, type Entitlements } from '../entitlements.ts'
import type { FeatureKey } from '../keys.ts'
import type { EntitlementsOptions } from '../options.ts'
import { type FlagKeys, featureOf, flagsOf, withoutKeys } from './openfeature-keys.ts'
import { noTargetingKey, type Resolution, toFailure, toResolution } from './openfeature-resolution.ts'
import { reportState } from './openfeature-state.ts'

export type ProviderClient = Pick<Entitlements, 'checkDetail' | 'on' | 'waitUntilReady' | 'close'>

export type ProviderOptions = EntitlementsOptions & FlagKeys

/**
 * A provider for OpenFeature's server SDK. It answers from memory. The context's targeting key is the subscriber.
 *
 * ```ts
 * await OpenFeature.setProviderAndWait(new EntitlementsProvider({ baseUrl, apiKey }))
 * await OpenFeature.getClient().getBooleanValue('export', false, { targetingKey: 'cust_4711' })
 * ```
 */
export class EntitlementsProvider implements Provider {
  readonly metadata = { name: 'entitlements' } as const
  readonly runsOn = 'server'
  readonly events = new OpenFeatureEventEmitter()
  readonly #given: ProviderClient | EntitlementsOptions
  readonly #keys: FlagKeys
  #client: ProviderClient | null = null
  #stops: (() => void)[] = []

  /** Takes the options of a client and `keys`, or your own client and `{ keys }`. The provider never closes your client. */
  constructor(clientOrOptions: ProviderClient | ProviderOptions, flagKeys: FlagKeys = {}) {
    const [given, keys] = withoutKeys<ProviderClient, EntitlementsOptions>(clientOrOptions, isClient, flagKeys)
    this.#given = given
    this.#keys = keys
  }

  async initialize(): Promise<void> {
    const client = isClient(this.#given) ? this.#given : createEntitlements(this.#given)
    this.#client = client
    let isImpaired = true
    try {
      await client.waitUntilReady()
      isImpaired = false
    } finally {
      if (this.#client === client) this.#listen(client, isImpaired)
    }
  }

  async onClose(): Promise<void> {
    const client = this.#client
    this.#client = null
    for (const stop of this.#stops.splice(0)) stop()
    if (client !== this.#given) await client?.close()
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

  #listen(client: ProviderClient, isImpaired: boolean): void {
    const { events } = this
    const reportChange = (features: ReadonlySet<string> | null) => {
      events.emit(
        ProviderEvents.ConfigurationChanged,
        features ? { flagsChanged: flagsOf(features, this.#keys) } : undefined,
      )
    }
    this.#stops = [reportState(client, (name, details) => events.emit(ProviderEvents[name], details), isImpaired)]
    this.#stops.push(client.on('changed', batchNotifications(reportChange)))
  }

  async #resolve<Value>(
    flagKey: string,
    fallback: Value,
    { targetingKey }: EvaluationContext,
  ): Promise<ResolutionDetails<Value>> {
    return (await this.#answer(flagKey, fallback, targetingKey)) as ResolutionDetails<Value>
  }

  async #answer<Value>(flagKey: string, fallback: Value, subscriber: string | undefined): Promise<Resolution<Value>> {
    if (!this.#client) return toFailure(fallback, 'GENERAL', 'The provider is not initialized.')
    if (!subscriber) return toFailure(fallback, ...noTargetingKey)
    const feature = featureOf(flagKey, this.#keys)
    return toResolution(feature, await this.#client.checkDetail(subscriber, feature as FeatureKey), fallback)
  }
}

function isClient(given: ProviderClient | EntitlementsOptions): given is ProviderClient {
  return 'checkDetail' in given
}

/** Notifies the SDK once for a change that affects thousands of subscribers. */
function batchNotifications(tell: (features: ReadonlySet<string> | null) => void) {
  let features: Set<string> | null | undefined
  return (changed: { features: readonly string[] | null }) => {
    const isFirst = features === undefined
    if (features !== null) features = changed.features && new Set([...(features ?? []), ...changed.features])
    if (!isFirst) return
    queueMicrotask(() => {
      const all = features ?? null
      features = undefined
      tell(all)
    })
  }
}
