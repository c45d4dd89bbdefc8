import { isPlainObject, isSameJson } from '../../core/json.ts'
import type { Queries } from '../../database/prisma.ts'
import { findGrantBefore, type LoggedChange, loadPlanChanges } from '../audit/read-logged-changes.ts'
import { fromStored } from '../features/stored-value.ts'
import { type GrantState, isTooLarge, toChange, toPastGrant } from './known.ts'
import { Backwards, type Reach } from './order.ts'

/** Where a past is read: `feature` leaves out all others. */
export type PastScope = { db: Queries; organizationId: string; feature?: string | undefined; reach: Reach }

/** A change of a plan, with those of its grants by feature key. */
export type PlanChange = {
  entry: LoggedChange
  grants: ReadonlyMap<string, { from: GrantState; to: GrantState }>
}

/**
 * What a plan granted: first what it grants now, then before each of its changes, newest first. A change says what was granted
 * before it, whatever is granted now; so it does no harm if the plan changes while this reads.
 */
export class PlanPast {
  readonly key: string
  readonly #scope: PastScope
  readonly #changes: Backwards
  /** No entry: nothing is granted. A text is the id of an entry before which the value is not known yet. */
  readonly #grants: Map<string, GrantState | string>

  private constructor(key: string, scope: PastScope, grants: Map<string, GrantState>) {
    const { db, organizationId, feature, reach } = scope
    this.key = key
    this.#scope = scope
    this.#grants = grants
    this.#changes = new Backwards(
      (before, limit) => loadPlanChanges(db, { organizationId, key, before, limit }, { feature }),
      reach,
    )
  }

  static async open(key: string, scope: PastScope): Promise<PlanPast> {
    const { db, organizationId, feature } = scope
    const rows = await db.planGrant.findMany({
      where: { organizationId, planKey: key, ...(feature !== undefined && { featureKey: feature }) },
    })
    return new PlanPast(key, scope, new Map(rows.map((row) => [row.featureKey, toPastGrant(fromStored(row))])))
  }

  /** The features that are granted at this moment. */
  get features(): string[] {
    return [...this.#grants.keys()]
  }

  /** The newest change before this moment; `goBack` undoes it. */
  async peek(): Promise<PlanChange | null> {
    const entry = await this.#changes.peek((older) => this.#leadsHere(older))
    return entry && { entry, grants: toGrantChanges(entry) }
  }

  /** Undoes the change that `peek` gave. */
  goBack({ entry, grants }: PlanChange): void {
    this.#changes.take()
    for (const [feature, { from }] of grants) {
      if (from === null) this.#grants.delete(feature)
      else this.#grants.set(feature, from === undefined ? entry.id : from)
    }
  }

  /** Undoes all changes later than this. */
  async goBackTo(isLater: (entry: LoggedChange) => boolean): Promise<void> {
    for (let change = await this.peek(); change && isLater(change.entry); change = await this.peek())
      this.goBack(change)
  }

  /** Undefined if the log does not have the value. */
  async grantOf(feature: string): Promise<GrantState> {
    const known = this.#grants.get(feature)
    if (typeof known !== 'string') return known ?? (this.#grants.has(feature) ? known : null)
    const { db, organizationId } = this.#scope
    const older = await findGrantBefore(db, { organizationId, key: this.key, before: known }, feature)
    const grant = older ? grantAfter(older, feature) : undefined
    this.#grants.set(feature, grant)
    return grant
  }

  #leadsHere(entry: LoggedChange): boolean {
    return [...toGrantChanges(entry)].every(([feature, { to }]) => {
      const now = this.#grants.get(feature)
      return to === undefined || typeof now === 'string' || isSameGrant(to, now ?? null)
    })
  }
}

/** What an entry changed, by feature key; empty if it changed something else. */
function toGrantChanges({ details }: LoggedChange): Map<string, { from: GrantState; to: GrantState }> {
  if (!isPlainObject(details?.grants)) return new Map()
  return new Map(
    Object.entries(details.grants).map(([feature, recorded]) => {
      const change = toChange(recorded)
      return [
        feature,
        change ? { from: toPastGrant(change.from), to: toPastGrant(change.to) } : { from: undefined, to: undefined },
      ]
    }),
  )
}

/** What is granted after an entry that changed the grant, or that created the plan. */
function grantAfter(entry: LoggedChange, feature: string): GrantState {
  if (entry.createdId === null) return toGrantChanges(entry).get(feature)?.to
  const grants = entry.details?.grants
  if (!isPlainObject(grants) || !Object.hasOwn(grants, feature)) return null
  return isTooLarge(grants[feature]) ? undefined : toPastGrant(grants[feature])
}

function isSameGrant(one: GrantState, other: GrantState): boolean {
  return isSameJson(comparable(one), comparable(other))
}

function comparable(grant: GrantState): unknown {
  return grant?.kind === 'config' ? { kind: grant.kind, value: JSON.parse(grant.valueJson) as unknown } : grant
}
