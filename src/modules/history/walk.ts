import { isSameJson } from '../../core/json.ts'
import type { FeatureKind } from '../../database/generated/enums.ts'
import { type Entitlement, isLive, resolve } from '../../gate/resolution/entitlement.ts'
import type { LoggedChange } from '../audit/read-logged-changes.ts'
import { type GrantState, type OverrideState, toInForce } from '../past/known.ts'
import { type PastScope, type PlanChange, PlanPast } from '../past/plan-past.ts'
import type { SubscriberChange, SubscriberPast } from '../past/subscriber-past.ts'
import type { Cause, PastEntitlement } from './history.ts'

/** An item before its id and the names in it are known. */
export type Walked = {
  micros: number
  entry: LoggedChange | null
  feature: string | null
  cause: Cause
  from: PastEntitlement | null
  to: PastEntitlement | null
  note: string | null
  plan: string | null
}

type WalkOptions = {
  scope: PastScope
  past: SubscriberPast
  /** Whether items of this moment are not wanted, because the page begins later in the past. */
  isSkipped: (micros: number) => boolean
  loadKinds: () => Promise<ReadonlyMap<string, FeatureKind>>
}

/** What a feature's entitlement follows from, at a moment. */
type State = { grant: GrantState; override: OverrideState; at: Date }

/** Walks from the present into the past, undoing each change, and gives each change of what a check answered. */
export class Walk {
  readonly #options: WalkOptions
  readonly #plans = new Map<string, PlanPast>()
  readonly #overrides: Map<string, OverrideState>
  #plan: PlanPast | null = null

  constructor(options: WalkOptions) {
    this.#options = options
    this.#overrides = new Map(options.past.overrides)
  }

  async *items(): AsyncGenerator<Walked> {
    const { past } = this.#options
    this.#plan = await this.#openPlan(past.plan)
    for (const change of past.changes) {
      yield* this.#plansUntil((entry) => isLater(entry, change))
      yield* change.kind === 'entry' ? this.#undo(change) : this.#expiry(change)
    }
    yield* this.#plansUntil(({ micros }) => micros >= past.beginning.getTime() * 1000)
  }

  /** The changes of the plan in force that are later than what comes next. */
  async *#plansUntil(isLater: (entry: LoggedChange) => boolean): AsyncGenerator<Walked> {
    const plan = this.#plan
    if (!plan) return
    for (let change = await plan.peek(); change && isLater(change.entry); change = await plan.peek()) {
      if (this.#options.isSkipped(change.entry.micros)) plan.goBack(change)
      else yield* this.#undoPlan(plan, change)
    }
  }

  async *#undoPlan(plan: PlanPast, change: PlanChange): AsyncGenerator<Walked> {
    const { entry, grants } = change
    const features = [...grants.keys()].sort()
    const after = new Map<string, GrantState>()
    for (const feature of features) {
      const to = grants.get(feature)?.to
      after.set(feature, to === undefined ? await plan.grantOf(feature) : to)
    }
    plan.goBack(change)
    const note = typeof entry.details?.note === 'string' ? entry.details.note : null
    const at = toDate(entry.micros)
    for (const feature of features) {
      const shared = { override: this.#overrideOf(feature), at }
      const before = { ...shared, grant: await plan.grantOf(feature) }
      const sides = await this.#compare(feature, before, { ...shared, grant: after.get(feature) })
      if (sides) yield { micros: entry.micros, entry, feature, cause: 'plan', ...sides, note, plan: plan.key }
    }
  }

  async *#undo(change: SubscriberChange & { kind: 'entry' }): AsyncGenerator<Walked> {
    const { entry, micros, overrides, plan: moved } = change
    const [planAfter, at] = [this.#plan, toDate(micros)]
    if (moved) {
      this.#plan = await this.#openPlan(moved.from)
      await this.#plan?.goBackTo((older) => isLater(older, change))
    }
    for (const [feature, { before }] of overrides) this.#overrides.set(feature, before)
    if (this.#options.isSkipped(micros)) return

    const granted = moved ? [...(planAfter?.features ?? []), ...(this.#plan?.features ?? [])] : []
    const common = { micros, entry, plan: planAfter?.key ?? null }
    for (const feature of [...new Set([...overrides.keys(), ...granted])].sort()) {
      const own = overrides.get(feature)
      const unchanged = this.#overrideOf(feature)
      const from = { grant: await grantOf(this.#plan, feature), override: own ? own.before : unchanged, at }
      const to = { grant: await grantOf(planAfter, feature), override: own ? own.after : unchanged, at }
      const sides = await this.#compare(feature, from, to)
      const note = own?.after?.note ?? null
      if (sides) yield { ...common, feature, cause: own ? 'override' : 'subscription', ...sides, note }
    }
    if (change.isCreation) yield { ...common, feature: null, cause: 'subscriber', from: null, to: null, note: null }
  }

  async *#expiry({ micros, feature }: SubscriberChange & { kind: 'expiry' }): AsyncGenerator<Walked> {
    if (this.#options.isSkipped(micros)) return
    const [override, at] = [this.#overrideOf(feature), toDate(micros)]
    const grant = await grantOf(this.#plan, feature)
    const sides = await this.#compare(
      feature,
      { grant, override, at: new Date(at.getTime() - 1) },
      { grant, override, at },
    )
    const plan = this.#plan?.key ?? null
    if (sides) yield { micros, entry: null, feature, cause: 'expiry', ...sides, note: null, plan }
  }

  #overrideOf(feature: string): OverrideState {
    return this.#overrides.has(feature) ? this.#overrides.get(feature) : null
  }

  /** Both sides, or null if a check answered the same before and after. */
  async #compare(feature: string, before: State, after: State) {
    const kind =
      before.grant?.kind ??
      after.grant?.kind ??
      before.override?.value?.kind ??
      after.override?.value?.kind ??
      (await this.#options.loadKinds()).get(feature)
    const [from, to] = [entitlementOf(feature, kind, before), entitlementOf(feature, kind, after)]
    return isSame(from, to) ? null : { from, to }
  }

  async #openPlan(key: string | null): Promise<PlanPast | null> {
    if (key === null) return null
    const plan = this.#plans.get(key) ?? (await PlanPast.open(key, this.#options.scope))
    this.#plans.set(key, plan)
    return plan
  }
}

async function grantOf(plan: PlanPast | null, feature: string): Promise<GrantState> {
  return plan ? plan.grantOf(feature) : null
}

function isLater(entry: LoggedChange, { micros, entry: other }: SubscriberChange): boolean {
  return entry.micros === micros ? other === null || entry.id > other.id : entry.micros > micros
}

/** `resolve()` on what is known; `too_large` if something that it needs is not. */
function entitlementOf(
  feature: string,
  kind: FeatureKind | undefined,
  { grant, override, at }: State,
): PastEntitlement {
  if (override === undefined || (override !== null && override.expiresAt === undefined)) return 'too_large'
  const live = override && isLive({ expiresAt: override.expiresAt ?? null }, at) ? override : null
  const inForce = live && toInForce(live)
  if (inForce === undefined || (!inForce && grant === undefined) || kind === undefined) return 'too_large'
  return resolve({ key: feature, kind: inForce?.kind ?? kind }, inForce ? null : (grant ?? null), inForce, at)
}

function isSame(one: PastEntitlement, other: PastEntitlement): boolean {
  if (one === 'too_large' || other === 'too_large') return false
  return isSameJson(comparable(one), comparable(other))
}

function comparable(entitlement: Entitlement): unknown {
  const { expiresAt, ...rest } = entitlement
  const value = rest.kind === 'config' && rest.valueJson !== null ? (JSON.parse(rest.valueJson) as unknown) : null
  return { ...rest, valueJson: null, value, expires: expiresAt?.getTime() ?? null }
}

function toDate(micros: number): Date {
  return new Date(Math.floor(micros / 1000))
}
