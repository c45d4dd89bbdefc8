import type { EvalDecision, Limiter, RemainingQuota, Tally } from './eval-decisions.ts'
import { Precheck, tokenAllotmentShare, tokenEvalsPerSecond } from './gate-text.ts'
import type { UncountedEvals } from './uncounted-evals.ts'

type MemoryLimitsOptions = {
  uncounted: UncountedEvals
  tokenRateShare: number
  /** False for snapshots of many subscribers, whose request has already been counted. */
  countsRate: boolean
}

/** The prechecks of evals that are refused before the rate limit is checked. */
const refusalsBeforeRateLimit = [Precheck.moved, Precheck.elsewhere, Precheck.forbidden] as const

const verdictsCountedForRate = new Set([
  'unknown_subscriber',
  'unknown_feature',
  'tokens_exhausted',
  'exhausted',
  'granted',
])

/**
 * Limits the evals of a statement that only read, because the database takes no writes. This process counts them in memory, and
 * does not know what other processes count meanwhile.
 */
export class MemoryLimits implements Limiter {
  readonly #options: MemoryLimitsOptions
  #second = 0
  /** The counts of organizations, of all their tokens, and of subscribers' tokens, in this second. */
  readonly #used = new Map<string, number>()

  constructor(options: MemoryLimitsOptions) {
    this.#options = options
  }

  remainingQuotaOf(organizationId: string, { now }: Tally, { toAdmit, toGrant }: RemainingQuota): RemainingQuota {
    const { uncounted, countsRate } = this.#options
    const used = countsRate ? this.#usedIn(now, organizationId) : 0
    return {
      toAdmit: Math.max(0, toAdmit - used),
      toGrant: Math.max(0, toGrant - uncounted.countInMonth(organizationId, now)),
    }
  }

  precheckToken(
    precheck: string,
    { organizationId, subscriberId }: { organizationId: string; subscriberId: string },
    { now, allotment, rateLimit }: Tally,
    { toGrant }: RemainingQuota,
  ): string {
    if (refusalsBeforeRateLimit.some((each) => each === precheck)) return precheck
    if (!this.#useIfBelow(now, `${organizationId} ${subscriberId}`, tokenEvalsPerSecond))
      return Precheck.subscriberLimited
    const limitOfAll = Math.ceil(rateLimit * this.#options.tokenRateShare)
    if (!this.#useIfBelow(now, `${organizationId} `, limitOfAll)) return Precheck.tokensLimited
    const isSpent = allotment !== null && allotment - toGrant >= tokenAllotmentShare * allotment
    return precheck === Precheck.answerable && isSpent ? Precheck.tokensExhausted : precheck
  }

  count(decisions: readonly (EvalDecision | undefined)[], tallies: ReadonlyMap<string, Tally>): void {
    const { uncounted, countsRate } = this.#options
    for (const each of decisions) {
      const now = each && tallies.get(each.organizationId)?.now
      if (!now) continue
      if (countsRate && verdictsCountedForRate.has(each.verdict)) this.#use(now, each.organizationId)
      if (each.verdict === 'granted') uncounted.add(each.organizationId, now)
    }
  }

  #useIfBelow(now: Date, name: string, limit: number): boolean {
    if (this.#usedIn(now, name) >= limit) return false
    this.#use(now, name)
    return true
  }

  #use(now: Date, name: string): void {
    this.#used.set(name, this.#usedIn(now, name) + 1)
  }

  /** The count in the second of `now`. If the clock is up to 5 s behind, evals count in the latest second so far. */
  #usedIn(now: Date, name: string): number {
    const second = Math.floor(now.getTime() / 1000)
    const isBehind = second < this.#second && this.#second - second <= 5
    if (second !== this.#second && !isBehind) {
      this.#second = second
      this.#used.clear()
    }
    return this.#used.get(name) ?? 0
  }
}
