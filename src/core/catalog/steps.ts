import { type Catalog, type Feature, isSame, type Plan } from './catalog.ts'
import type { Difference, FeatureChange, PlanChange } from './compare.ts'
import { toGrantsBody } from './grants-body.ts'

/** A request for a write of the service; `input` is its body in the REST API. */
export type Change = {
  operation: `${'create' | 'update' | 'delete'}_${'feature' | 'plan'}` | 'archive_plan' | 'unarchive_plan'
  key?: string
  input?: Record<string, unknown>
}

/** One write, with the object that it affects. */
export type Step = {
  /** The feature or plan, such as `plan pro`. */
  object: string
  /** The effect on the object, such as `create` or `update`. */
  action: string
  change: Change
  /**
   * What to do if the service refuses a removal with a conflict: archive the plan, because a subscriber has it or ever had it;
   * or keep the feature, because archived plans grant it.
   */
  fallback?: 'archive' | 'keep' | undefined
}

type Sides = {
  source: { catalog: Catalog }
  target: { catalog: Catalog }
  difference: Difference
  isPruning: boolean
}

/**
 * The writes in an order that keeps every reference valid: features before the plans that grant them; options that plans grant
 * are removed after these plans have been changed or removed; features are removed last.
 */
export function toSteps({ source, target, difference, isPruning }: Sides): Step[] {
  const { newFeatures, changedFeatures, extraFeatures, newPlans, changedPlans, extraPlans } = difference
  const plans = [...target.catalog.plans.values()]
  const others = plans.filter(({ key }) => !source.catalog.plans.has(key))
  return [
    ...newFeatures.map(createFeature),
    ...changedFeatures.flatMap((change) => updateFeature(change, plans)),
    ...newPlans.flatMap(createPlan),
    ...changedPlans.flatMap(updatePlan),
    ...(isPruning ? extraPlans.map(removePlan) : []),
    ...changedFeatures.flatMap((change) => removeOptions(change, plans)),
    ...(isPruning ? extraFeatures.map((each) => removeFeature(each, others)) : []),
  ]
}

function createFeature({ key, name, description, kind, value_type, options, others }: Feature): Step {
  const input = {
    key,
    name,
    description,
    kind,
    ...(value_type && { value_type }),
    ...(options && { options: [...options] }),
    ...(others as object),
  }
  return { object: `feature ${key}`, action: 'create', change: { operation: 'create_feature', input } }
}

/**
 * Updates the feature before the plans change, because new options must exist before plans grant them. The options to remove
 * later stay, at the end of the list.
 */
function updateFeature(change: FeatureChange, plans: readonly Plan[]): Step[] {
  const [options, old] = [change.after.options ?? [], change.before.options ?? []]
  const removedLater = optionsToRemoveLater(change, plans)
  const writesOptions = !isSame(options, old) && (removedLater.length === 0 || addsOptions(change))
  const others = change.fields.filter(({ field }) => field !== 'options').map(({ field, to }) => [field, to])
  if (others.length === 0 && !writesOptions) return []
  return [
    writeFeature(change, 'update', {
      ...Object.fromEntries(others),
      ...(writesOptions && { options: [...options, ...removedLater] }),
    }),
  ]
}

/** Removes the remaining options after the plans have changed and no longer grant these options. */
function removeOptions(change: FeatureChange, plans: readonly Plan[]): Step[] {
  const { options } = change.after
  return optionsToRemoveLater(change, plans).length > 0 ? [writeFeature(change, 'remove options of', { options })] : []
}

/**
 * The options to remove after the plans have changed. If there are new options, the options that no plan grants are removed
 * when the new ones are added, because the number of options is limited.
 */
function optionsToRemoveLater(change: FeatureChange, plans: readonly Plan[]): string[] {
  const { before, after } = change
  const removed = (before.options ?? []).filter((option) => !after.options?.includes(option))
  if (!addsOptions(change)) return removed
  const grants = plans.map((plan) => plan.grants.get(before.key))
  return removed.filter((option) => grants.some((grant) => grant?.kind === 'config' && grant.value === option))
}

function addsOptions({ before, after }: FeatureChange): boolean {
  return after.options?.some((option) => !before.options?.includes(option)) ?? false
}

function writeFeature({ before: { key } }: FeatureChange, action: string, input: Record<string, unknown>): Step {
  return { object: `feature ${key}`, action, change: { operation: 'update_feature', key, input } }
}

function createPlan(plan: Plan): Step[] {
  const { key, name, kind, archived, others } = plan
  const input = { key, name, kind, ...(others as object), grants: toGrantsBody(plan.grants) }
  const create: Step = { object: `plan ${key}`, action: 'create', change: { operation: 'create_plan', input } }
  return archived ? [create, setArchived(plan)] : [create]
}

function updatePlan({ after, fields, grants }: PlanChange): Step[] {
  const { key } = after
  const values = fields.filter(({ field }) => field !== 'archived').map(({ field, to }) => [field, to])
  const input = { ...Object.fromEntries(values), ...(grants.length > 0 && { grants: toGrantsBody(after.grants) }) }
  const update: Step = { object: `plan ${key}`, action: 'update', change: { operation: 'update_plan', key, input } }
  const changesArchived = fields.some(({ field }) => field === 'archived')
  return [...(Object.keys(input).length > 0 ? [update] : []), ...(changesArchived ? [setArchived(after)] : [])]
}

function setArchived({ key, archived }: Plan): Step {
  const operation = archived ? 'archive_plan' : 'unarchive_plan'
  return { object: `plan ${key}`, action: archived ? 'archive' : 'unarchive', change: { operation, key } }
}

/** Deletes the plan, or archives it if a subscriber has it or ever had it. */
function removePlan({ key, archived }: Plan): Step {
  const change: Change = { operation: 'delete_plan', key }
  return { object: `plan ${key}`, action: 'remove', change, fallback: archived ? undefined : 'archive' }
}

/** Deletes the feature, unless an archived plan keeps it. `others` are plans that the source does not have. */
function removeFeature({ key }: Feature, others: readonly Plan[]): Step {
  const change: Change = { operation: 'delete_feature', key }
  const isGranted = others.some(({ grants }) => grants.has(key))
  return { object: `feature ${key}`, action: 'remove', change, fallback: isGranted ? 'keep' : undefined }
}
