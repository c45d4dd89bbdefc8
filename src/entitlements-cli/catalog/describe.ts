import { type Feature, type OtherFields, type Plan, toWrittenGrant } from '../../core/catalog/catalog.ts'
import {
  type Difference,
  describeGrant,
  describeImpossibleChange,
  describeValue,
  type FieldChange,
  type GrantChange,
  isReduction,
  type PlanChange,
} from '../../core/catalog/compare.ts'
import { countOf, formatNumber } from '../output.ts'
import type { Count, PlanReach, PlanReachByKey } from './reach.ts'

type Settings = {
  /** null if subscribers cannot be counted: the target is a file. */
  reach: PlanReachByKey | null
  /** Whether the target is a file, where objects that only the target has are simply removed. */
  isFile?: boolean
}

/** Describes the difference for people. Changes that take something away from subscribers come after the others. */
export function describeDifference(difference: Difference, { reach, isFile = false }: Settings): string[] {
  const { newFeatures, changedFeatures, extraFeatures, newPlans, changedPlans, extraPlans, impossible } = difference
  const losses = changedPlans.filter((change) => reductionsOf(change, reach).length > 0)
  const others = changedPlans.filter(
    ({ fields, ...change }) => fields.length > 0 || harmlessChangesOf({ fields, ...change }, reach).length > 0,
  )
  const removal = isFile ? 'removed' : 'only in the target: "apply --prune" removes it'
  const lines = [
    ...newFeatures.flatMap(describeNewFeature),
    ...(isFile ? impossible.flatMap(({ object, ...field }) => [`~ ${object}`, describeField(field)]) : []),
    ...changedFeatures.flatMap(({ before, fields }) => [`~ feature ${before.key}`, ...fields.map(describeField)]),
    ...newPlans.flatMap(describeNewPlan),
    ...others.flatMap((change) => [
      planHeading(change, reach),
      ...change.fields.map(describeField),
      ...harmlessChangesOf(change, reach).map((each) => describeChange(each, reach?.get(change.before.key))),
    ]),
    ...extraPlans.map((plan) => `- plan ${plan.key}: ${removal}${countOfSubscribers(reach?.get(plan.key))}`),
    ...extraFeatures.map(({ key }) => `- feature ${key}: ${removal}`),
  ]
  const reductionLines = losses.flatMap((change) => [
    planHeading(change, reach),
    ...reductionsOf(change, reach).map((each) => describeChange(each, reach?.get(change.before.key))),
  ])
  return [
    ...lines,
    ...(reductionLines.length > 0
      ? [...(lines.length > 0 ? [''] : []), 'Reductions, by which subscribers lose something:', ...reductionLines]
      : []),
    ...(impossible.length > 0 && !isFile
      ? ['', 'Impossible:', ...impossible.map((each) => `! ${describeImpossibleChange(each)}`)]
      : []),
  ]
}

/** The grants that become smaller, in plans with subscribers, or in all plans if subscribers are not counted. */
export function reductionsOf({ before, grants }: PlanChange, reach: PlanReachByKey | null): GrantChange[] {
  return grants.filter((grant) => isReduction(grant) && affectsSubscribers(reach?.get(before.key)))
}

function harmlessChangesOf(change: PlanChange, reach: PlanReachByKey | null): GrantChange[] {
  const reductions = new Set(reductionsOf(change, reach))
  return change.grants.filter((grant) => !reductions.has(grant))
}

function affectsSubscribers(reach: PlanReach | undefined): boolean {
  return reach === undefined || reach.subscribers.value > 0 || !reach.subscribers.is_exact
}

function describeNewFeature({ key, name, kind, value_type, options, others }: Feature): string[] {
  const type = kind === 'config' ? `config, ${value_type}` : kind
  return [
    `+ feature ${key}: ${name} (${type})${options ? `: ${describeValue(options)}` : ''}`,
    ...describeOtherFields(others),
  ]
}

function describeOtherFields(others: OtherFields): string[] {
  return Object.entries(others).map(([name, value]) => `    ${name}: ${describeValue(value)}`)
}

function describeNewPlan({ key, name, archived, others, grants }: Plan): string[] {
  return [
    `+ plan ${key}: ${name}${archived ? ' (archived)' : ''}`,
    ...describeOtherFields(others),
    ...Array.from(grants, ([feature, grant]) => `    ${feature}: ${describeGrant(grant)}`),
  ]
}

function planHeading({ before: { key } }: PlanChange, reach: PlanReachByKey | null): string {
  return `~ plan ${key}${countOfSubscribers(reach?.get(key))}`
}

function countOfSubscribers(reach: PlanReach | undefined): string {
  return reach ? ` (${describeCount(reach.subscribers)})` : ''
}

function describeField({ field, from, to }: FieldChange): string {
  return `    ${field}: ${describeValue(from)} → ${describeValue(to)}`
}

function describeChange({ feature, from, to }: GrantChange, reach: PlanReach | undefined): string {
  const hidden = reach?.hidden.get(feature)
  const note = hidden && hidden.value > 0 ? ` (not for ${describeCount(hidden)} with an override)` : ''
  return `    ${feature}: ${describeGrant(from)} → ${describeGrant(to)}${note}`
}

/** `1,204 subscribers`, `at least 10,000 subscribers`. */
function describeCount({ value, is_exact }: Count): string {
  return is_exact ? countOf(value, 'subscriber') : `at least ${formatNumber(value)} subscribers`
}

/** Converts the difference for programs to a list of changes, which all have the same format. */
export function toJsonChanges(difference: Difference, reach: PlanReachByKey | null): object[] {
  const { newFeatures, changedFeatures, extraFeatures, newPlans, changedPlans, extraPlans } = difference
  const countOfPlan = ({ key }: Plan) => (reach ? { subscribers: reach.get(key)?.subscribers ?? null } : {})
  return [
    ...newFeatures.map(({ key, others, ...after }) => ({
      action: 'create',
      object: 'feature',
      key,
      after: { ...after, ...others },
    })),
    ...changedFeatures.map(({ before, fields }) => ({
      action: 'update',
      object: 'feature',
      key: before.key,
      changes: fields,
    })),
    ...newPlans.map(({ key, others, ...after }) => ({
      action: 'create',
      object: 'plan',
      key,
      after: { ...after, ...others, grants: toGrants(after.grants) },
    })),
    ...changedPlans.map((change) => ({
      action: 'update',
      object: 'plan',
      key: change.before.key,
      ...countOfPlan(change.before),
      changes: [...change.fields, ...change.grants.map((grant) => toGrantJson(change, grant, reach))],
    })),
    ...extraPlans.map((plan) => ({ action: 'remove', object: 'plan', key: plan.key, ...countOfPlan(plan) })),
    ...extraFeatures.map(({ key }) => ({ action: 'remove', object: 'feature', key })),
  ]
}

function toGrants(grants: Plan['grants']): object {
  return Object.fromEntries(Array.from(grants, ([feature, grant]) => [feature, toWrittenGrant(grant)]))
}

/** Converts one change of a grant. `from` or `to` is null if there is no grant. */
function toGrantJson(change: PlanChange, grant: GrantChange, reach: PlanReachByKey | null): object {
  const { feature, from, to } = grant
  const hidden = reach?.get(change.before.key)?.hidden.get(feature)
  return {
    field: `grants.${feature}`,
    from: from && toWrittenGrant(from),
    to: to && toWrittenGrant(to),
    is_reduction: reductionsOf(change, reach).includes(grant),
    ...(hidden && { hidden_by_override: hidden }),
  }
}
