import { byPosition } from '../../components/order/by-position.ts'
import { FeatureGrantsDocument, type FeatureGrantsQuery } from '../../generated/features.ts'
import { useOrganizationQuery } from '../../session/queries.ts'

type Plan = NonNullable<FeatureGrantsQuery['plans']>[number]

export type GrantingPlan = Omit<Plan, 'grants'> & { grant: Plan['grants'][number] }

export type GrantingPlans = ReadonlyMap<string, GrantingPlan[]>

/** The plans that grant each feature, by its key, archived ones included. */
export function useGrantingPlans() {
  const { data, error, refetch } = useOrganizationQuery(FeatureGrantsDocument, {})
  return { data: data && byFeature(data.plans), error, refetch }
}

function byFeature(plans: readonly Plan[]): GrantingPlans {
  const granting = new Map<string, GrantingPlan[]>()
  for (const { grants, ...plan } of byPosition(plans)) {
    for (const grant of grants) {
      const known = granting.get(grant.feature) ?? []
      known.push({ ...plan, grant })
      granting.set(grant.feature, known)
    }
  }
  return granting
}
