import type { OpenSpan } from '../../tracing/open-span.ts'
import type { Catalog } from '../resolution/catalog.ts'
import type { OverrideInForce } from '../resolution/entitlement.ts'
import { ResolvedEntitlements } from '../resolution/resolved-entitlements.ts'
import type { EvalDecision, Tally } from './eval-decisions.ts'
import type { EvalCaller } from './gate-statement.ts'

/** The subscriber and the features whose entitlements are requested. */
export type RequestedEntitlements = {
  subscriberId: string
  /** Null is a snapshot: every feature of the catalog. */
  features: readonly string[] | null
}

export type EvalRequest = EvalCaller &
  RequestedEntitlements & {
    /** Set if the eval's trace is recorded. */
    span?: OpenSpan
  }

/**
 * In order of precedence. Only `granted` counts against the allotment; `unknown_subscriber` and all below count against the
 * rate.
 */
export type EvalOutcome =
  | { kind: 'unauthorized' }
  /** The organization is served by another installation. */
  | { kind: 'moved' }
  /** The key is not allowed from the caller's network. */
  | { kind: 'elsewhere' }
  | { kind: 'forbidden' }
  /** The subscriber's tokens have sent too many evals in this second. */
  | { kind: 'subscriber_limited' }
  /** All tokens of the organization together have sent too many evals in this second. */
  | { kind: 'tokens_limited' }
  | { kind: 'rate_limited' }
  | { kind: 'unknown_subscriber' }
  /** The requested features that the catalog does not have. */
  | { kind: 'unknown_feature'; features: readonly string[] }
  /** Tokens have used their share of the allotment; the vendor's keys may still use the rest. */
  | { kind: 'tokens_exhausted'; allotment: number }
  | { kind: 'exhausted'; allotment: number }
  | GrantedEval

type GrantedEval = {
  kind: 'granted'
  organizationId: string
  plan: string | null
  entitlements: ResolvedEntitlements
}

const verdictsBeforeLimits = ['moved', 'elsewhere', 'forbidden', 'subscriber_limited', 'tokens_limited'] as const

function isVerdictBeforeLimits(verdict: string): verdict is (typeof verdictsBeforeLimits)[number] {
  return verdictsBeforeLimits.some((each) => each === verdict)
}

/** The refusal of an eval, or null when it is granted. `features` were sent to the statement. */
export function toRefusal(
  { verdict, organizationId, unknownIndexes }: EvalDecision,
  tally: Tally | undefined,
  features: readonly string[] | null,
): EvalOutcome | null {
  if (isVerdictBeforeLimits(verdict)) return { kind: verdict }
  if (verdict === 'uncounted' || !tally) throw new Error(`organization ${organizationId} has no row in eval_counter`)
  switch (verdict) {
    case 'rate_limited':
    case 'unknown_subscriber':
      return { kind: verdict }
    case 'tokens_exhausted':
    case 'exhausted':
      return { kind: verdict, allotment: tally.allotment ?? 0 }
    case 'unknown_feature':
      return { kind: verdict, features: unknownIndexes.map((index) => features?.[index - 1] ?? '') }
    case 'granted':
      return null
  }
}

/** The data for the answer of a granted eval. */
export type EvalContents = {
  catalog: Catalog
  overrides: ReadonlyMap<string, OverrideInForce>
  /** Releases the memory held for the answer. */
  release?: () => void
}

/** The answer uses the owner's share. `now` is the time when the eval was counted. */
type OwnerAndTime = Pick<Tally, 'ownerId' | 'now'>

function toGrantedEval(
  request: RequestedEntitlements,
  { organizationId, planKey }: EvalDecision,
  { ownerId, now }: OwnerAndTime,
  { catalog, overrides, release }: EvalContents,
): GrantedEval {
  const data = { catalog, planKey, features: request.features, overrides, now, organizationId, ownerId }
  const entitlements = new ResolvedEntitlements(release === undefined ? data : { ...data, release })
  return { kind: 'granted', organizationId, plan: planKey, entitlements }
}

/**
 * The answer of a granted eval if the catalog in memory has the statement's version and the statement returned all other data;
 * null if something must be read.
 */
export function resolveFromMemory(
  request: RequestedEntitlements,
  decision: EvalDecision,
  tally: Tally,
  { catalog, onCatalogRead }: { catalog: Catalog | undefined; onCatalogRead: ((isHit: boolean) => void) | undefined },
): GrantedEval | null {
  const { overrides, planKey } = decision
  const isHit = catalog?.version === tally.catalogVersion
  onCatalogRead?.(isHit)
  if (!isHit || overrides === null) return null
  if (request.features === null && catalog.isLarge(planKey)) return null
  return toGrantedEval(request, decision, tally, { catalog, overrides })
}

/**
 * Like `resolveFromMemory`, with a catalog or overrides that were read after the statement, so either may be newer than the
 * other. A feature deleted in between is unknown; an override is skipped if its feature was deleted, or was created again with
 * another kind.
 */
export function resolveAfterRead(
  request: RequestedEntitlements,
  decision: EvalDecision,
  tally: OwnerAndTime,
  contents: EvalContents,
): EvalOutcome {
  const { catalog } = contents
  const deletedFeatures = request.features?.filter((key) => !catalog.has(key)) ?? []
  if (deletedFeatures.length > 0) {
    contents.release?.()
    return { kind: 'unknown_feature', features: deletedFeatures }
  }
  const matchingOverrides = Array.from(contents.overrides).filter(([key, { kind }]) => {
    const index = catalog.indexOf(key)
    return index !== undefined && catalog.features[index]?.kind === kind
  })
  return toGrantedEval(request, decision, tally, { ...contents, overrides: new Map(matchingOverrides) })
}
