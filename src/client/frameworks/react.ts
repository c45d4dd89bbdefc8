'use client'

import {
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'
import { createEntitlements } from '../entitlements.ts'
import type { ConfigValue, FeatureKey } from '../keys.ts'
import type { EntitlementsOptions } from '../options.ts'
import type { Snapshot } from '../snapshot.ts'
import { type SubscriberId, toSubscriberId } from '../subscriber-id.ts'
import { Answers, type EntitlementAnswer, type ReadClient } from './react-answers.ts'

export type { EntitlementAnswer } from './react-answers.ts'

export type EntitlementsProviderProps = {
  /**
   * The subscriber; by default that of the snapshot. Null: there is no subscriber, so everything is denied. Undefined without
   * a snapshot: the subscriber is not known yet, so everything is loading.
   */
  subscriber?: SubscriberId | null | undefined
  /** The address of the service. Without it, and without a client, all answers come from the snapshot. */
  baseUrl?: string | undefined
  /**
   * A token of the subscriber, or a function that gets a token from your backend. The function is called for the first request,
   * and when the last token has expired. Never pass an API key.
   */
  token?: string | ((subscriber: string) => string | Promise<string>) | undefined
  /** A snapshot from your backend. The first render uses it, on the server and in the browser, without a request. */
  snapshot?: Snapshot | null | undefined
  /** More options of the client, such as `defaults`. Changing them later has no effect. */
  options?: Omit<EntitlementsOptions, 'baseUrl' | 'apiKey' | 'token' | 'bootstrap' | 'offline'> | undefined
  /** A client of your own, instead of `baseUrl` and `token`. The provider does not close it. */
  client?: ReadClient | undefined
  /** The components that use the entitlements. */
  children?: ReactNode
}

const Context = createContext<Answers | null>(null)

/**
 * Provides a subscriber's entitlements to the components below it, and follows changes.
 *
 * ```tsx
 * <EntitlementsProvider baseUrl="https://entitlements.example" subscriber="cust_4711" token={() => fetchToken()}>
 * ```
 */
export function EntitlementsProvider(props: EntitlementsProviderProps): ReactNode {
  const { client, baseUrl, snapshot = null, children } = props
  const named = props.subscriber === undefined ? snapshot?.subscriber_id : props.subscriber
  const subscriber = named === undefined || named === null ? named : toSubscriberId(named, 'subscriber')
  const latest = useRef(props)
  // With a service, only the first snapshot is used: a later one must not replace answers that the service has given since.
  const onlySource = client || baseUrl !== undefined ? null : JSON.stringify(snapshot)
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above; another client or service has other answers.
  const answers = useMemo(
    () => new Answers(subscriber, snapshot, client ?? null),
    [client, baseUrl, subscriber, onlySource],
  )

  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    if (typeof subscriber !== 'string') return
    if (client) return answers.connect(client, { isPatient: false })
    const own = createEntitlements(optionsOf(subscriber, latest))
    const { freshness = 'feed' } = latest.current.options ?? {}
    // With a feed, the client becomes ready when the feed has started. Until then the page's snapshot is enough.
    const isPatient = baseUrl !== undefined && freshness === 'feed' && answers.hasFirst
    const disconnect = answers.connect(own, { isPatient })
    return () => {
      disconnect()
      own.close()
    }
  }, [client, baseUrl, subscriber, answers])

  return createElement(Context.Provider, { value: answers }, children)
}

/** Reads the newest props whenever a token is needed, so that a new `token` function per render needs no new client. */
function optionsOf(subscriber: string, latest: { readonly current: EntitlementsProviderProps }): EntitlementsOptions {
  const { baseUrl, snapshot, options } = latest.current
  const bootstrap = snapshot ?? []
  if (baseUrl === undefined) return { ...options, bootstrap, offline: true }
  const token = async () => {
    const { token = '' } = latest.current
    return typeof token === 'string' ? token : token(subscriber)
  }
  return { ...options, baseUrl, token, bootstrap }
}

/**
 * Whether the subscriber may use the feature, and how much. The component renders again when the answer changes.
 *
 * ```tsx
 * const { allowed, isLoading } = useEntitlement('export')
 * ```
 */
export function useEntitlement<Key extends FeatureKey>(feature: Key): EntitlementAnswer<ConfigValue<Key>> {
  const answers = useAnswers('useEntitlement')
  const shown = answers.feature(feature)
  const listen = useMemo(() => (listener: () => void) => answers.listen(shown, listener), [answers, shown])
  const answer = useSyncExternalStore(
    listen,
    () => shown.current,
    () => shown.first,
  )
  return answer as EntitlementAnswer<ConfigValue<Key>>
}

/** All entitlements of the subscriber. Null if the subscriber is unknown, and while there is no answer. */
export function useSnapshot(): Snapshot | null {
  const answers = useAnswers('useSnapshot')
  const shown = answers.snapshot()
  const listen = useMemo(() => (listener: () => void) => answers.listen(shown, listener), [answers, shown])
  return useSyncExternalStore(
    listen,
    () => shown.current,
    () => shown.first,
  )
}

export type EntitledProps = {
  feature: FeatureKey
  /** Shown to subscribers that may not use the feature. */
  fallback?: ReactNode
  /** Shown while there is no answer. */
  loading?: ReactNode
  children?: ReactNode
}

/** Shows its children only if the subscriber may use the feature. It only hides them, so your backend must check as well. */
export function Entitled({ feature, fallback, loading, children }: EntitledProps): ReactNode {
  const { allowed, isLoading } = useEntitlement(feature)
  if (isLoading) return loading
  return allowed ? children : fallback
}

function useAnswers(name: string): Answers {
  const answers = useContext(Context)
  if (!answers) throw new Error(`${name} needs an <EntitlementsProvider> above the component.`)
  return answers
}
