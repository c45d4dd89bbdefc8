import type { CatalogRows } from './catalog.ts'
import type { OverrideInForce } from './entitlement.ts'
import { Standing } from './gate-statement.ts'
import type { TextRow } from './text-query.ts'

/** In the order in which an eval is refused; `uncounted` is an organization without a counter, which is no answer. */
export type Verdict =
  | 'uncounted'
  | 'forbidden'
  | 'rate_limited'
  | 'unknown_subscriber'
  | 'unknown_feature'
  | 'exhausted'
  | 'granted'

/** What the statement says of an organization. */
export type Tally = {
  /** The database's time, at which its evals were counted. */
  now: Date
  /** Evals a calendar month; null is unlimited. */
  allotment: number | null
  catalogVersion: string
  /** Null where the version was held. */
  catalogRows: CatalogRows | null
}

/** One eval as the statement answers it. */
export type JudgedEval = {
  verdict: Verdict
  organizationId: string
  planKey: string | null
  /** Live ones among what was asked, by feature key. */
  overrides: ReadonlyMap<string, OverrideInForce>
}

/** `judged` has one place for each eval asked: undefined is an unknown key or a disabled member. */
export type Judgement = { judged: (JudgedEval | undefined)[]; tallies: Map<string, Tally> }

type EvalRow = [
  n: string,
  organizationId: string,
  standing: string,
  planKey: string | null,
  nowSeconds: string | null,
  admitted: string | null,
  granted: string | null,
  allotment: string | null,
  catalogVersion: string | null,
  catalogJson: string | null,
  featureKey: string | null,
  kind: string | null,
  allowed: string | null,
  limit: string | null,
  valueJson: string | null,
  expiresSeconds: string | null,
]

/** How many more of an organization's evals may pass. */
type Room = { toAdmit: number; toGrant: number }

const noOverrides: ReadonlyMap<string, OverrideInForce> = new Map()

/** Reads the rows of the gate's statement for `count` evals. */
export function readJudgement(rows: readonly TextRow[], count: number): Judgement {
  const firstRows = new Array<EvalRow | undefined>(count)
  const overrides = new Array<Map<string, OverrideInForce> | undefined>(count)
  const tallies: Judgement['tallies'] = new Map()
  const rooms = new Map<string, Room>()
  for (const row of rows as EvalRow[]) {
    const index = Number(row[0]) - 1
    const featureKey = row[10]
    if (featureKey !== null) {
      overrides[index] ??= new Map()
      overrides[index].set(featureKey, toOverride(row))
    }
    if (firstRows[index] !== undefined) continue
    firstRows[index] = row
    if (row[4] === null) continue
    tallies.set(row[1], toTally(row))
    rooms.set(row[1], { toAdmit: Number(row[5]), toGrant: Number(row[6]) })
  }

  const judged = new Array<JudgedEval | undefined>(count)
  for (let index = 0; index < count; index++) {
    const row = firstRows[index]
    if (row === undefined) continue
    const organizationId = row[1]
    const verdict = judge(row[2], rooms.get(organizationId))
    judged[index] = { verdict, organizationId, planKey: row[3], overrides: overrides[index] ?? noOverrides }
  }
  return { judged, tallies }
}

/** To be called in the order of arrival: each eval takes of the room that is left. */
function judge(standing: string, room: Room | undefined): Verdict {
  if (standing === Standing.forbidden) return 'forbidden'
  if (room === undefined) return 'uncounted'
  if (room.toAdmit === 0) return 'rate_limited'
  room.toAdmit -= 1
  if (standing === Standing.unknownSubscriber) return 'unknown_subscriber'
  if (standing === Standing.unknownFeature) return 'unknown_feature'
  if (room.toGrant === 0) return 'exhausted'
  room.toGrant -= 1
  return 'granted'
}

function toTally(row: EvalRow): Tally {
  return {
    // Cut, not rounded: rounding up could expire an override that the statement found live.
    now: new Date(Math.floor(Number(row[4]) * 1000)),
    allotment: row[7] === null ? null : Number(row[7]),
    catalogVersion: row[8] ?? '',
    catalogRows: row[9] === null ? null : JSON.parse(row[9]),
  }
}

function toOverride(row: EvalRow): OverrideInForce {
  const expiresAt = row[15] === null ? null : fromSeconds(row[15])
  switch (row[11]) {
    case 'flag':
      return { kind: 'flag', allowed: row[12] === 't', expiresAt }
    case 'limit':
      return { kind: 'limit', limit: row[13] === null ? null : Number(row[13]), expiresAt }
    default:
      return { kind: 'config', valueJson: row[14] ?? 'null', expiresAt }
  }
}

/** Whole milliseconds of an epoch in seconds, which has them as a fraction. */
function fromSeconds(seconds: string): Date {
  return new Date(Math.round(Number(seconds) * 1000))
}
