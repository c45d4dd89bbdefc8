import {
  type Catalog,
  type Feature,
  type Grant,
  isSame,
  type OtherFields,
  type Plan,
  toWrittenGrant,
} from './catalog.ts'

/** One field of a feature or plan that would change. */
export type FieldChange = { field: string; from: unknown; to: unknown }

/** One grant of a plan that would change; null means no grant. */
export type GrantChange = { feature: string; from: Grant | null; to: Grant | null }

export type FeatureChange = { before: Feature; after: Feature; fields: readonly FieldChange[] }
export type PlanChange = { before: Plan; after: Plan; fields: readonly FieldChange[]; grants: readonly GrantChange[] }

/** `object` names the feature or plan, such as `plan pro`. */
export type ImpossibleChange = FieldChange & { object: string }

/** The changes that would make the target's catalog equal to the source's. */
export type Difference = {
  newFeatures: readonly Feature[]
  changedFeatures: readonly FeatureChange[]
  /** Objects that only the target has. They are removed only on request. */
  extraFeatures: readonly Feature[]
  newPlans: readonly Plan[]
  changedPlans: readonly PlanChange[]
  extraPlans: readonly Plan[]
  /** Differences in fields that cannot be changed. */
  impossible: readonly ImpossibleChange[]
}

/**
 * The changes that `apply` would make to the target. Archived plans that only the target has do not count as a difference: see
 * `withoutRetiredPlans`.
 */
export function compare(source: Catalog, target: Catalog): Difference {
  return compareExactly(source, withoutRetiredPlans(target, source))
}

export function compareExactly(source: Catalog, target: Catalog): Difference {
  const features = pairByKey(source.features, target.features)
  const plans = pairByKey(source.plans, target.plans)
  return {
    newFeatures: features.added,
    changedFeatures: features.both.map(toFeatureChange).filter(({ fields }) => fields.length > 0),
    extraFeatures: features.extra,
    newPlans: plans.added,
    changedPlans: plans.both.map(toPlanChange).filter(({ fields, grants }) => fields.length + grants.length > 0),
    extraPlans: plans.extra,
    impossible: [
      ...features.both.flatMap(findImpossibleFeatureChanges),
      ...plans.both.flatMap(findImpossiblePlanChanges),
    ],
  }
}

/**
 * The catalog without retired plans, which are archived and not in `listed`. Also leaves out features that are not in `listed`
 * and are granted only by retired plans. A plan that a subscriber has ever had can be archived but not deleted, so archived
 * plans with their grants remain after a removal.
 */
export function withoutRetiredPlans({ features, plans }: Catalog, listed: Catalog): Catalog {
  const isRetired = ({ key, archived }: Plan) => archived && !listed.plans.has(key)
  const keptPlans = [...plans.values()].filter((plan) => !isRetired(plan))
  const retiredPlans = [...plans.values()].filter(isRetired)
  const isNeeded = ({ key }: Feature) => {
    return listed.features.has(key) || isGrantedBy(keptPlans, key) || !isGrantedBy(retiredPlans, key)
  }
  return {
    features: new Map([...features].filter(([, feature]) => isNeeded(feature))),
    plans: new Map(keptPlans.map((plan) => [plan.key, plan])),
  }
}

export function hasDifferences({ impossible, ...changes }: Difference): boolean {
  return impossible.length > 0 || Object.values(changes).some((each) => each.length > 0)
}

/** Whether `apply` has changes to make or to refuse. Without `prune`, `apply` keeps objects that only the target has. */
export function hasChangesToApply({ extraFeatures, extraPlans, ...others }: Difference, prune: boolean): boolean {
  const extra = extraFeatures.length + extraPlans.length
  return (prune && extra > 0) || hasDifferences({ ...others, extraFeatures: [], extraPlans: [] })
}

type Keys = { features: ReadonlySet<string>; plans: ReadonlySet<string> }

/** The differences in the features and plans with these keys. */
export function pickObjects(difference: Difference, { features, plans }: Keys): Difference {
  const isNamed = (object: string) => {
    const [resource, key = ''] = object.split(' ')
    return (resource === 'feature' ? features : plans).has(key)
  }
  return {
    newFeatures: difference.newFeatures.filter(({ key }) => features.has(key)),
    changedFeatures: difference.changedFeatures.filter(({ after }) => features.has(after.key)),
    extraFeatures: difference.extraFeatures.filter(({ key }) => features.has(key)),
    newPlans: difference.newPlans.filter(({ key }) => plans.has(key)),
    changedPlans: difference.changedPlans.filter(({ after }) => plans.has(after.key)),
    extraPlans: difference.extraPlans.filter(({ key }) => plans.has(key)),
    impossible: difference.impossible.filter(({ object }) => isNamed(object)),
  }
}

/** Whether subscribers get less: the grant is removed, or its limit is lowered. Other config values do not count as less. */
export function isReduction({ from, to }: GrantChange): boolean {
  if (from === null || to === null) return from !== null
  if (from.kind !== 'limit' || to.kind !== 'limit' || to.limit === null) return false
  return from.limit === null || to.limit < from.limit
}

type Pairs<Item> = { added: Item[]; both: { before: Item; after: Item }[]; extra: Item[] }

function pairByKey<Item>(source: ReadonlyMap<string, Item>, target: ReadonlyMap<string, Item>): Pairs<Item> {
  const sourceEntries = [...source]
  return {
    added: sourceEntries.filter(([key]) => !target.has(key)).map(([, item]) => item),
    both: sourceEntries.flatMap(([key, after]) => {
      const before = target.get(key)
      return before === undefined ? [] : [{ before, after }]
    }),
    extra: [...target].filter(([key]) => !source.has(key)).map(([, item]) => item),
  }
}

function isGrantedBy(plans: readonly Plan[], feature: string): boolean {
  return plans.some(({ grants }) => grants.has(feature))
}

function findFieldChanges<Item>(before: Item, after: Item, fields: readonly (keyof Item & string)[]): FieldChange[] {
  return fields
    .filter((field) => !isSame(before[field], after[field]))
    .map((field) => ({ field, from: before[field], to: after[field] }))
}

/** Compares absent fields as null, because the service treats null as not set. */
function findOtherFieldChanges(before: OtherFields, after: OtherFields): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }))
    .filter(({ from, to }) => !isSame(from, to))
}

type BeforeAfter<Item> = { before: Item; after: Item }

function toFeatureChange({ before, after }: BeforeAfter<Feature>): FeatureChange {
  const isEnum = before.value_type === 'enum' && after.value_type === 'enum'
  return {
    before,
    after,
    fields: [
      ...findFieldChanges(before, after, ['name', 'description', ...(isEnum ? ['options' as const] : [])]),
      ...findOtherFieldChanges(before.others, after.others),
    ],
  }
}

function toPlanChange({ before, after }: BeforeAfter<Plan>): PlanChange {
  const features = [...new Set([...before.grants.keys(), ...after.grants.keys()])]
  const grants = features
    .map((feature) => ({ feature, from: before.grants.get(feature) ?? null, to: after.grants.get(feature) ?? null }))
    .filter(({ from, to }) => !isSame(from, to))
  const fields = [
    ...findFieldChanges(before, after, ['name', 'archived']),
    ...findOtherFieldChanges(before.others, after.others),
  ]
  return { before, after, fields, grants }
}

function findImpossibleFeatureChanges({ before, after }: BeforeAfter<Feature>): ImpossibleChange[] {
  const object = `feature ${before.key}`
  return findFieldChanges(before, after, ['kind', 'value_type']).map((change) => ({ object, ...change }))
}

function findImpossiblePlanChanges({ before, after }: BeforeAfter<Plan>): ImpossibleChange[] {
  return findFieldChanges(before, after, ['kind']).map((change) => ({ object: `plan ${before.key}`, ...change }))
}

/** Says which change cannot be made, and suggests what to do instead. */
export function describeImpossibleChange({ object, field, from, to }: ImpossibleChange): string {
  const [resource] = object.split(' ')
  return `${object}: ${field} cannot change from ${from ?? 'not set'} to ${to ?? 'not set'}. Create another ${resource} instead.`
}

/** Describes a grant for people: `granted`, `5`, `unlimited`, `eu-west`, or `not granted` for null. */
export function describeGrant(grant: Grant | null): string {
  if (grant === null) return 'not granted'
  return grant.kind === 'flag' ? 'granted' : describeValue(toWrittenGrant(grant))
}

const maxShownLength = 100

export function describeValue(value: unknown): string {
  if (value === null) return 'none'
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ')
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
}
