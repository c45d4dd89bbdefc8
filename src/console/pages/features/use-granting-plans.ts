import { useOrganizationQuery } from '../../api/queries.ts'
import { FeatureGrantsDocument, type FeatureGrantsQuery } from '../../generated/features.ts'

type Plan = NonNullable<FeatureGrantsQuery['plans']>[number]

export type GrantingPlan = Omit<Plan, 'grants'> & { grant: Plan['grants'][number] }

/** The plans that grant each feature, by its key, archived ones included; undefined until they are read. */
export function useGrantingPlans(): Map<string, GrantingPlan[]> | undefined {
  const { data } = useOrganizationQuery(FeatureGrantsDocument, {})
  if (!data) return undefined
  const byFeature = new Map<string, GrantingPlan[]>()
  for (const { grants, ...plan } of data.plans) {
    for (const grant of grants) {
      const plans = byFeature.get(grant.feature) ?? []
      plans.push({ ...plan, grant })
      byFeature.set(grant.feature, plans)
    }
  }
  return byFeature
}
