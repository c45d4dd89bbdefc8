import { EntitlementsError } from '../client/api/errors.ts'
import { type Entry, toEntry } from '../client/cache.ts'
import type { Knowledge } from '../client/knowledge.ts'
import type { Entitlement, Snapshot } from '../client/snapshot.ts'
import type { RelayConfig } from '../config.ts'
import { DomainError, notFound, unavailable } from '../core/errors.ts'
import { isSubscriberId } from '../modules/subscribers/subscriber.ts'

export const answerSources = ['cache', 'upstream', 'last-known', 'deny'] as const

/**
 * The source of an answer. `deny` means that no answer is known to be right, so everything is denied, as `RELAY_ON_UNAVAILABLE`
 * requires.
 */
export type AnswerSource = (typeof answerSources)[number]

/** The data behind a relay's answer. `ageMs` is the time since the data was last known to be right. */
export type Answer = { from: AnswerSource; ageMs: number; entry: Entry }

/**
 * An answer that an earlier process has stored. `sentAt` is the time at which it was last known to be right, by the
 * environment's clock.
 */
export type StoredAnswer = { snapshot: Snapshot; sentAt: number }

type Options = {
  knowledge: Knowledge
  config: Pick<RelayConfig, 'onUnavailable' | 'upstreamUrl'>
  recall(subscriberId: string): Promise<StoredAnswer | null>
}

/** Answers from memory, or asks the upstream; while the upstream is unavailable, the configuration decides. */
export class Answers {
  readonly #options: Options
  /** The entitlements of the latest answer: a denial for an unknown subscriber lists their features. */
  #latestEntitlements: readonly Entitlement[] = []

  constructor(options: Options) {
    this.#options = options
  }

  /** The cached answer if it is known to be right; otherwise undefined, and the upstream must be asked. */
  get(subscriberId: string): Answer | undefined {
    const { knowledge } = this.#options
    const entry = knowledge.get(subscriberId)
    if (entry === undefined || !knowledge.isFresh(entry)) return undefined
    return { from: 'cache', ageMs: knowledge.ageOf(entry), entry }
  }

  /**
   * Returns the cached answer, or asks the upstream. Throws the upstream's refusal, or 503 if the upstream does not answer and
   * no other answer may be sent.
   */
  async find(subscriberId: string): Promise<Answer> {
    const known = this.get(subscriberId)
    if (known) return known
    if (!isSubscriberId(subscriberId)) throw notFound('subscriber', subscriberId)
    try {
      return await this.#ask(subscriberId)
    } catch (error) {
      return this.#answerWithoutUpstream(subscriberId, error)
    }
  }

  /**
   * Throws 503 if the upstream did not confirm the answer and it shows an override that has ended, because the value without
   * the override is unknown. Otherwise returns the answer. Without `features`, the answer shows all features.
   */
  assertNotExpired(answer: Answer, features?: readonly string[]): Answer {
    const { from, entry } = answer
    if (from !== 'last-known') return answer
    const now = this.#options.knowledge.clock.now()
    const items = features?.map((feature) => entry.items.get(feature)) ?? entry.snapshot?.entitlements ?? []
    for (const item of items) if (item?.expires_at && Date.parse(item.expires_at) <= now) throw this.#unavailable()
    return answer
  }

  async #ask(subscriberId: string): Promise<Answer> {
    const { knowledge } = this.#options
    const entry = await knowledge.ask(subscriberId)
    // In this case, the upstream is a relay that denied everything, because it has no answer either.
    if (entry.sentAt === Number.NEGATIVE_INFINITY) throw this.#unavailable()
    if (entry.snapshot) this.#latestEntitlements = entry.snapshot.entitlements
    // The upstream may be a relay, whose answer has an age of its own.
    return { from: entry.isStale ? 'last-known' : 'upstream', ageMs: knowledge.ageOf(entry), entry }
  }

  async #answerWithoutUpstream(subscriberId: string, error: unknown): Promise<Answer> {
    const { config, knowledge } = this.#options
    if (config.onUnavailable === 'deny' && !isLimit(error)) return this.#deny(subscriberId)
    const entry = config.onUnavailable === 'last-known' ? await this.#recall(subscriberId) : undefined
    if (!entry) throw this.#toRefusal(error)
    return { from: 'last-known', ageMs: knowledge.ageOf(entry), entry }
  }

  async #recall(subscriberId: string): Promise<Entry | undefined> {
    const { knowledge, recall } = this.#options
    const known = knowledge.get(subscriberId)
    if (known) return known
    const stored = await recall(subscriberId)
    if (stored) knowledge.preload(stored.snapshot, stored.sentAt)
    return knowledge.get(subscriberId)
  }

  #deny(subscriberId: string): Answer {
    const { knowledge } = this.#options
    const entitlements = knowledge.get(subscriberId)?.snapshot?.entitlements ?? this.#latestEntitlements
    const snapshot: Snapshot = {
      subscriber_id: subscriberId,
      plan: null,
      entitlements: entitlements.map(({ feature, kind }) => toDenied(feature, kind)),
      valid_until: null,
    }
    const endsAt = Number.POSITIVE_INFINITY
    const sentAt = Number.NEGATIVE_INFINITY
    const entry = toEntry(snapshot, { etag: null, sentAt, receivedAt: null, endsAt, isStale: true })
    const items = { get: (feature: string) => entry.items.get(feature) ?? toDenied(feature, 'flag') }
    return { from: 'deny', ageMs: Number.POSITIVE_INFINITY, entry: { ...entry, items } }
  }

  /** Callers get the upstream's 429 and 409, which concern their organization; other failures of the upstream become 503. */
  #toRefusal(error: unknown): DomainError {
    if (error instanceof DomainError) return error
    if (!(error instanceof EntitlementsError)) throw error
    const { code, message, details, status, retryAfterSeconds } = error
    if (status === 429) {
      return new DomainError('RATE_LIMITED', message, { retry_after_seconds: Math.ceil(retryAfterSeconds ?? 1) })
    }
    if (code === 'CONFLICT') return new DomainError(code, message, details as Record<string, unknown>)
    return this.#unavailable(error)
  }

  #unavailable(cause?: unknown): DomainError {
    const { upstreamUrl } = this.#options.config
    const message = `${upstreamUrl} does not answer this relay, and the relay has no stored answer that it may send. Try again in a moment.`
    return unavailable(message, cause)
  }
}

/** Whether the upstream answers, but the organization has used up its rate or its allotment. */
function isLimit(error: unknown): boolean {
  return error instanceof EntitlementsError && (error.status === 429 || error.code === 'CONFLICT')
}

/** An entitlement that denies in every field that a product may read. */
function toDenied(feature: string, kind: Entitlement['kind']): Entitlement {
  return { feature, kind, allowed: false, limit: 0, value: null, source: 'none', expires_at: null }
}
