import { sortPlans } from '../../components/order/by-position.ts'
import { FeatureGrantsDocument, type FeatureGrantsQuery } from '../../generated/features.ts'
import { useOrganizationQuery } from '../../session/queries.ts'

type Plan = NonNullable<FeatureGrantsQuery['plans']>[number]

export type GrantingPlan = Omit<Plan, 'grants'> & { grant: Plan['grants'][number] }

export type GrantingPlans = ReadonlyMap<string, GrantingPlan[]>

/**
 * The plans that grant each feature, including archived ones, by feature key. `live` is the number of plans that are not
 * archived.
 */
export function useGrantingPlans() {
  const { data, error, refetch } = useOrganizationQuery(FeatureGrantsDocument, {})
  const live = data?.plans.filter(({ archivedAt }) => archivedAt === null).length ?? 0
  return { data: data && byFeature(data.plans), live, error, refetch }
}

function byFeature(plans: readonly Plan[]): GrantingPlans {
  const granting = new Map<string, GrantingPlan[]>()
  for (const { grants, ...plan } of sortPlans(plans)) {
    for (const grant of grants) {
      const known = granting.get(grant.feature) ?? []
      known.push({ ...plan, grant })
      granting.set(grant.feature, known)
    }
  }
  return granting
}
