import type { TextRow } from '../../database/sql.ts'
import type { OverrideInForce } from '../resolution/entitlement.ts'
import { maxSnapshotOverrides } from './counter-text.ts'
import { readsAllOverrides } from './gate-statement.ts'
import { Precheck } from './gate-text.ts'
import { type OverrideColumns, toOverride } from './override-row.ts'

/** In order of precedence; `uncounted` means that the organization has no counter row, which is an error. */
type Verdict =
  | 'uncounted'
  | 'moved'
  | 'elsewhere'
  | 'forbidden'
  | 'subscriber_limited'
  | 'tokens_limited'
  | 'rate_limited'
  | 'unknown_subscriber'
  | 'unknown_feature'
  | 'tokens_exhausted'
  | 'exhausted'
  | 'granted'

/** The statement's values for an organization. */
export type Tally = {
  /** Large answers use the share of this owner: the person who created the organization, or the organization itself. */
  ownerId: string
  /** The database's time when the organization's evals were counted. */
  now: Date
  /** Evals in a calendar month; null is unlimited. */
  allotment: number | null
  /** The maximum number of evals per second; valid only if the statement only read. */
  rateLimit: number
  catalogVersion: string
  /** The catalog's size in the database. */
  catalogBytes: number
}

/** The gate's verdict on one eval, with the data that the statement read for it. */
export type EvalDecision = {
  verdict: Verdict
  organizationId: string
  planKey: string | null
  /** The positions, from 1, of the requested features that the catalog does not have. */
  unknownIndexes: readonly number[]
  /**
   * Overrides that are live or will start, by feature key, at least for the requested features; null if they are too large for
   * the statement.
   */
  overrides: ReadonlyMap<string, OverrideInForce> | null
  /** The bytes of overrides that are too large for the statement; an estimate if the statement did not read all of them. */
  overrideBytes: number
  /** Whether the key is bound to networks. */
  isBound: boolean
}

/** `decisions` has an element for each eval; undefined for an unknown or expired key, a disabled member, or an ended token. */
export type EvalDecisions = { decisions: (EvalDecision | undefined)[]; tallies: Map<string, Tally> }

type EvalRow = [
  n: string,
  organizationId: string,
  precheck: string,
  planKey: string | null,
  nowSeconds: string | null,
  /** If the statement only read, the rate limit; `granted` is then the rest of the allotment. */
  admitted: string | null,
  granted: string | null,
  allotment: string | null,
  catalogVersion: string | null,
  catalogBytes: string | null,
  unknownIndexes: string | null,
  featureKey: string | null,
  ...override: OverrideColumns,
  largeBytes: string | null,
  creatorId: string | null,
  isBound: string | null,
]

/** One eval's overrides while its rows are read. */
type ReadOverrides = { byFeature: Map<string, OverrideInForce>; largeBytes: number }

/** The assumed size of the overrides that the statement did not read. */
const assumedUnreadBytes = 256 * 1024

/** How many of an organization's evals may still be admitted, and granted. */
export type RemainingQuota = { toAdmit: number; toGrant: number }

const noIndexes: readonly number[] = []
const noOverrides: ReadonlyMap<string, OverrideInForce> = new Map()

/** Limits and counts evals in memory when the statement only read: see memory-limits.ts. */
export type Limiter = {
  /** The rate and the allotment that the statement found, minus the evals that this process has counted. */
  remainingQuotaOf(organizationId: string, tally: Tally, found: RemainingQuota): RemainingQuota
  /** Applies the limits on tokens, which a statement that only reads does not check. Returns the eval's new precheck. */
  precheckToken(
    precheck: string,
    tokenSubject: { organizationId: string; subscriberId: string },
    tally: Tally,
    quota: RemainingQuota,
  ): string
  count(decisions: EvalDecisions['decisions'], tallies: EvalDecisions['tallies']): void
}

type RequestedFeatures = {
  features: readonly string[] | null
  subscriberId?: string
  tokenSubject?: object | undefined
}

/** Reads the rows of the gate's statement for these evals. If the statement did not count them, `memory` does. */
export function readDecisions(
  rows: readonly TextRow[],
  requests: readonly RequestedFeatures[],
  memory: Limiter | null = null,
): EvalDecisions {
  const count = requests.length
  const firstRows = new Array<EvalRow | undefined>(count)
  const overrides = new Array<ReadOverrides | undefined>(count)
  const tallies: EvalDecisions['tallies'] = new Map()
  const quotas = new Map<string, RemainingQuota>()
  for (const row of rows as EvalRow[]) {
    const index = Number(row[0]) - 1
    if (row[11] !== null) {
      overrides[index] ??= { byFeature: new Map(), largeBytes: 0 }
      addOverride(overrides[index], row)
    }
    if (firstRows[index] !== undefined) continue
    firstRows[index] = row
    if (row[4] === null) continue
    const tally = toTally(row)
    const quota = { toAdmit: Number(row[5]), toGrant: Number(row[6]) }
    tallies.set(row[1], tally)
    quotas.set(row[1], memory ? memory.remainingQuotaOf(row[1], tally, quota) : quota)
  }

  const decisions = new Array<EvalDecision | undefined>(count)
  for (let index = 0; index < count; index++) {
    const row = firstRows[index]
    if (row === undefined) continue
    const organizationId = row[1]
    const quota = quotas.get(organizationId)
    const tally = tallies.get(organizationId)
    const { tokenSubject, subscriberId = '' } = requests[index] ?? {}
    const precheck =
      memory && tokenSubject && tally && quota
        ? memory.precheckToken(row[2], { organizationId, subscriberId }, tally, quota)
        : row[2]
    const verdict = toVerdict(precheck, quota)
    decisions[index] = {
      verdict,
      organizationId,
      planKey: row[3],
      isBound: row[20] === 't',
      unknownIndexes: row[10] === null ? noIndexes : row[10].split(',').map(Number),
      ...toOverrideFields(overrides[index], requests[index]),
    }
  }
  memory?.count(decisions, tallies)
  return { decisions, tallies }
}

/** Must be called in order of arrival, because each eval takes its share of `quota`. */
function toVerdict(precheck: string, quota: RemainingQuota | undefined): Verdict {
  if (precheck === Precheck.moved) return 'moved'
  if (precheck === Precheck.elsewhere) return 'elsewhere'
  if (precheck === Precheck.forbidden) return 'forbidden'
  if (precheck === Precheck.subscriberLimited) return 'subscriber_limited'
  if (precheck === Precheck.tokensLimited) return 'tokens_limited'
  if (quota === undefined) return 'uncounted'
  if (quota.toAdmit === 0) return 'rate_limited'
  quota.toAdmit -= 1
  if (precheck === Precheck.unknownSubscriber) return 'unknown_subscriber'
  if (precheck === Precheck.unknownFeature) return 'unknown_feature'
  if (precheck === Precheck.tokensExhausted) return 'tokens_exhausted'
  if (quota.toGrant === 0) return 'exhausted'
  quota.toGrant -= 1
  return 'granted'
}

function toTally(row: EvalRow): Tally {
  return {
    ownerId: row[19] ?? row[1],
    // Truncated, not rounded: rounding up could expire an override that the statement found live.
    now: new Date(Math.floor(Number(row[4]) * 1000)),
    allotment: row[7] === null ? null : Number(row[7]),
    rateLimit: Number(row[5]),
    catalogVersion: row[8] ?? '',
    catalogBytes: Number(row[9]),
  }
}

function addOverride(seen: ReadOverrides, row: EvalRow): void {
  seen.byFeature.set(row[11] as string, toOverride([row[12], row[13], row[14], row[15], row[16], row[17]]))
  if (row[18] !== null) seen.largeBytes += Number(row[18])
}

function toOverrideFields(
  seen: ReadOverrides | undefined,
  request: RequestedFeatures | undefined,
): Pick<EvalDecision, 'overrides' | 'overrideBytes'> {
  if (seen === undefined) return { overrides: noOverrides, overrideBytes: 0 }
  const { byFeature, largeBytes } = seen
  const hasUnreadOverrides =
    request !== undefined && byFeature.size > maxSnapshotOverrides && readsAllOverrides(request.features)
  if (largeBytes === 0 && !hasUnreadOverrides) return { overrides: byFeature, overrideBytes: 0 }
  return { overrides: null, overrideBytes: largeBytes + (hasUnreadOverrides ? assumedUnreadBytes : 0) }
}
