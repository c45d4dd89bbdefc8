import type { Entitlements } from '../entitlements.ts'
import type { FeatureKey } from '../keys.ts'
import { type Detail, fallbackDetail, type Snapshot, toDetail } from '../snapshot.ts'
import { keepFresh } from './keep-fresh.ts'

/** The result of `useEntitlement`. */
export type EntitlementAnswer<Value = unknown> = Pick<
  Detail<Value>,
  'allowed' | 'limit' | 'value' | 'source' | 'expiresAt' | 'problem'
> & {
  /** Whether there is no answer yet; until there is, `allowed` is false. */
  isLoading: boolean
}

export type ReadClient = Pick<Entitlements, 'checkDetail' | 'peek' | 'snapshot' | 'on'>

/** An answer that components show. It is kept fresh while at least one component shows it. */
type ShownAnswer<Value> = {
  first: Value
  current: Value
  listeners: Set<() => void>
  /** The number of the last request, so that a late answer to an earlier request does not replace a newer answer. */
  asked: number
  answered: number
  ask(client: ReadClient): Promise<Value>
}

/**
 * The answers about one subscriber that the components below a provider show. The constructor has no side effects, since React
 * may create an object that it never uses. Requests begin when the object is connected to a client.
 */
export class Answers {
  readonly #subscriber: string
  readonly #isNobody: boolean
  readonly #first: Snapshot | null
  readonly #features = new Map<string, ShownAnswer<EntitlementAnswer>>()
  readonly #snapshot: ShownAnswer<Snapshot | null>
  #client: ReadClient | null

  /**
   * `subscriber` is null if there is none, and undefined if it is not known yet. `first` is the page's snapshot, which is used
   * until the service has answered. `client` may have an answer already.
   */
  constructor(subscriber: string | null | undefined, first: Snapshot | null, client: ReadClient | null) {
    this.#subscriber = subscriber ?? ''
    this.#isNobody = subscriber === null
    this.#client = typeof subscriber === 'string' ? client : null
    this.#first = first?.subscriber_id === subscriber ? first : null
    this.#snapshot = createShownAnswer(this.#first, (client) => client.snapshot(this.#subscriber))
  }

  get hasFirst(): boolean {
    return this.#first !== null
  }

  feature(feature: FeatureKey): ShownAnswer<EntitlementAnswer> {
    const shown = this.#features.get(feature) ?? this.#add(feature)
    // While no component showed the answer, it was not kept up to date.
    const known = shown.listeners.size === 0 ? this.#client?.peek(this.#subscriber, feature) : null
    if (known) setCurrent(shown, toAnswer(known))
    return shown
  }

  snapshot(): ShownAnswer<Snapshot | null> {
    return this.#snapshot
  }

  /** Returns a function that removes the listener. */
  listen<Value>(shown: ShownAnswer<Value>, listener: () => void): () => void {
    shown.listeners.add(listener)
    if (shown.listeners.size === 1) this.#ask(shown)
    return () => shown.listeners.delete(listener)
  }

  /** Asks this client from now on, until the returned function is called. */
  connect(client: ReadClient, { isPatient }: { isPatient: boolean }): () => void {
    const ask = () => {
      this.#client = client
      for (const shown of [...this.#features.values(), this.#snapshot]) this.#ask(shown as ShownAnswer<unknown>)
    }
    const stop = keepFresh(client, { subscriber: this.#subscriber, ask, isPatient })
    return () => {
      stop()
      this.#client = null
    }
  }

  #add(feature: FeatureKey): ShownAnswer<EntitlementAnswer> {
    const ask = async (client: ReadClient) => toAnswer(await client.checkDetail(this.#subscriber, feature))
    const shown = createShownAnswer(this.#firstOf(feature), ask)
    this.#features.set(feature, shown)
    return shown
  }

  #firstOf(feature: string): EntitlementAnswer {
    if (!this.#first) return this.#isNobody ? denied : loading
    const item = this.#first.entitlements.find((each) => each.feature === feature)
    return toAnswer(item ? toDetail(item, 'last-known', 0) : fallbackDetail(false, 'unknown_feature'))
  }

  async #ask<Value>(shown: ShownAnswer<Value>): Promise<void> {
    const client = this.#client
    if (!client || shown.listeners.size === 0) return
    shown.asked += 1
    const number = shown.asked
    // Earlier answers stay if the snapshot cannot be loaded; `checkDetail` never throws.
    const answer = await shown.ask(client).catch(() => shown.current)
    if (client !== this.#client || number < shown.answered) return
    shown.answered = number
    if (setCurrent(shown, answer)) for (const listener of shown.listeners) listener()
  }
}

/**
 * Sets the current value, and returns whether its content has changed. If not, the former object stays, so that components do
 * not render again.
 */
function setCurrent<Value>(shown: ShownAnswer<Value>, value: Value): boolean {
  if (toText(value) === toText(shown.current)) return false
  shown.current = value
  return true
}

function toText(value: unknown): string {
  return JSON.stringify(value, (_name, each) => (each === Number.POSITIVE_INFINITY ? 'unlimited' : each))
}

function createShownAnswer<Value>(first: Value, ask: ShownAnswer<Value>['ask']): ShownAnswer<Value> {
  return { first, current: first, listeners: new Set(), asked: 0, answered: 0, ask }
}

const denied = toAnswer(fallbackDetail(false, null))
const loading: EntitlementAnswer = { ...denied, isLoading: true }

function toAnswer({ allowed, limit, value, source, expiresAt, problem }: Detail): EntitlementAnswer {
  return { allowed, limit, value, source, expiresAt, problem, isLoading: false }
}
