import type { Fields } from '../../components/form/fields.tsx'
import { isSameValue, toValue, type Value } from '../../components/text/value.ts'
import type { GrantInput, MatrixFeaturesQuery, PlanRowFragment } from '../../generated/plans.ts'

export type Plan = PlanRowFragment
/** The text fields in the forms of a plan. Its key, kind and grants have their own inputs. */
export const planFields = { name: { label: 'Name', inHead: true } } satisfies Fields

export type Feature = NonNullable<MatrixFeaturesQuery['features']>[number]

/** A plan's grants, by feature key. A granted flag is on. */
export type Grants = ReadonlyMap<string, Value>

export function grantsOf({ grants }: Pick<Plan, 'grants'>): Grants {
  return new Map(grants.map((grant) => [grant.feature, toValue(grant)]))
}

/** All grants in the shape of a write. */
export function toGrantInputs(grants: Grants): GrantInput[] {
  return [...grants].map(([feature, value]) => toGrantInput(feature, value))
}

function toGrantInput(feature: string, value: Value): GrantInput {
  switch (value.kind) {
    case 'FLAG':
      return { feature, kind: value.kind }
    case 'LIMIT':
      return { feature, kind: value.kind, limit: value.limit }
    case 'CONFIG':
      return { feature, kind: value.kind, value: value.value }
  }
}

/** The keys of the features whose grants differ between the two, sorted. */
export function changedFeatures(one: Grants, other: Grants): string[] {
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((feature) => !isSameValue(one.get(feature) ?? null, other.get(feature) ?? null))
    .sort()
}
