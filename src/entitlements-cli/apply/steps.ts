import { type Feature, isSame, type Plan } from '../catalog/catalog.ts'
import type { Difference, FeatureChange, PlanChange } from '../catalog/compare.ts'
import { toGrantsBody } from '../catalog/grants-body.ts'
import { removeFeature, removePlan } from './remove.ts'
import type { Progress, Step } from './step.ts'
import { assertUntouched } from './untouched.ts'

/**
 * The writes in an order in which every reference holds: features before the plans that grant them, options that are no longer
 * wanted after the plans that used them, removals last.
 */
export function toSteps(difference: Difference, isPruning: boolean): Step[] {
  const { newFeatures, changedFeatures, extraFeatures, newPlans, changedPlans, extraPlans } = difference
  return [
    ...newFeatures.map(createFeature),
    ...changedFeatures.flatMap(updateFeature),
    ...newPlans.flatMap(createPlan),
    ...changedPlans.flatMap(updatePlan),
    ...changedFeatures.flatMap(removeOptions),
    ...(isPruning ? [...extraPlans.map(removePlan), ...extraFeatures.map(removeFeature)] : []),
  ]
}

function createFeature({ key, name, description, kind, value_type, options, others }: Feature): Step {
  return {
    object: `feature ${key}`,
    action: 'create',
    async run({ connection }) {
      const body = {
        key,
        name,
        description,
        kind,
        ...(value_type && { value_type }),
        ...(options && { options: [...options] }),
        ...(others as object),
      }
      await connection.ask((api) => api.createFeature(body))
      return undefined
    },
  }
}

/**
 * Before the plans: everything but the removal of options. New options must exist before plans grant them, so those that go are kept
 * at the end until then.
 */
function updateFeature(change: FeatureChange): Step[] {
  const [options, old] = [change.after.options ?? [], change.before.options ?? []]
  const going = old.filter((option) => !options.includes(option))
  const isNow = !isSame(options, old) && (going.length === 0 || options.some((option) => !old.includes(option)))
  const others = change.fields.filter(({ field }) => field !== 'options').map(({ field, to }) => [field, to])
  if (others.length === 0 && !isNow) return []
  return [
    writeFeature(change, 'update', {
      ...Object.fromEntries(others),
      ...(isNow && { options: [...options, ...going] }),
    }),
  ]
}

/** After the plans, which then no longer grant them. */
function removeOptions(change: FeatureChange): Step[] {
  const { options } = change.after
  const isAnyGoing = change.before.options?.some((option) => !options?.includes(option)) ?? false
  return isAnyGoing ? [writeFeature(change, 'remove options of', { options })] : []
}

function writeFeature({ before: { key } }: FeatureChange, action: string, values: object): Step {
  const object = `feature ${key}`
  return {
    object,
    action,
    async run({ connection, stamps }) {
      const expected_updated_at = stamps.get(object)
      const { updated_at } = await connection.ask((api) => api.updateFeature({ key, ...values, expected_updated_at }))
      stamps.set(object, updated_at)
      return undefined
    },
  }
}

function createPlan(plan: Plan): Step[] {
  const { key, name, kind, archived, others } = plan
  const object = `plan ${key}`
  const create: Step = {
    object,
    action: 'create',
    async run({ connection, stamps }) {
      const body = { key, name, kind, ...(others as object), grants: toGrantsBody(plan.grants) }
      const { updated_at } = await connection.ask((api) => api.createPlan(body))
      stamps.set(object, updated_at)
      return undefined
    },
  }
  return archived ? [create, setArchived(plan)] : [create]
}

function updatePlan({ after, fields, grants }: PlanChange): Step[] {
  const { key } = after
  const object = `plan ${key}`
  const values = fields.filter(({ field }) => field !== 'archived').map(({ field, to }) => [field, to])
  const update: Step = {
    object,
    action: 'update',
    async run({ connection, stamps }) {
      const body = { ...Object.fromEntries(values), ...(grants.length > 0 && { grants: toGrantsBody(after.grants) }) }
      const expected_updated_at = stamps.get(object)
      const { updated_at } = await connection.ask((api) => api.updatePlan({ key, ...body, expected_updated_at }))
      stamps.set(object, updated_at)
      return undefined
    },
  }
  const isArchival = fields.some(({ field }) => field === 'archived')
  return [...(values.length > 0 || grants.length > 0 ? [update] : []), ...(isArchival ? [setArchived(after)] : [])]
}

function setArchived({ key, archived }: Plan): Step {
  const object = `plan ${key}`
  return {
    object,
    action: archived ? 'archive' : 'unarchive',
    async run(progress: Progress) {
      await assertUntouched(progress, 'plan', key)
      await progress.connection.ask((api) => (archived ? api.archivePlan({ key }) : api.unarchivePlan({ key })))
      return undefined
    },
  }
}
