import { List, Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { FeatureOverridesDocument } from '../../generated/features.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useGrantingPlans } from './use-granting-plans.ts'

const maxShown = 10

/**
 * Links to what prevents the deletion of a feature: the plans that grant it, including archived ones, and its overrides,
 * including expired ones.
 */
export function DeletionBlockers({ featureKey }: { featureKey: string }) {
  const organizationId = useOrganizationId()
  const granting = useGrantingPlans()
  const overrideQuery = useOrganizationQuery(FeatureOverridesDocument, {
    filter: { feature: featureKey },
    first: maxShown,
  })
  const failed = [granting, overrideQuery].find(({ error }) => error)
  if (failed?.error) return <ErrorPanel error={failed.error} retry={() => void failed.refetch()} />
  if (!granting.data || !overrideQuery.data) return <Skeleton height={44} />

  const plans = granting.data.get(featureKey) ?? []
  const { nodes: overrides, pageInfo } = overrideQuery.data.overrides
  if (plans.length + overrides.length === 0) {
    return (
      <Text>
        No plan grants it, and no subscriber has an override of it. Once it is deleted, checks for {featureKey} are
        refused.
      </Text>
    )
  }
  return (
    <div>
      <Text>It cannot be deleted while plans grant it or overrides set it. Remove these first:</Text>
      <List size="sm" mt="xs">
        {plans.map(({ key, name, archivedAt }) => (
          <List.Item key={key}>
            plan{' '}
            <Link to="/o/$organizationId/plans/$planKey" params={{ organizationId, planKey: key }}>
              {shortenMiddle(name, 60)}
            </Link>
            {archivedAt && ' (archived)'}
          </List.Item>
        ))}
        {overrides.map(({ id, subscriberId, subscriber }) => (
          <List.Item key={id}>
            override of{' '}
            <Link to="/o/$organizationId/subscribers/$subscriberId" params={{ organizationId, subscriberId }}>
              {shortenMiddle(subscriber?.name ?? subscriberId, 60)}
            </Link>
          </List.Item>
        ))}
        {pageInfo.hasNextPage && (
          <List.Item>
            <Link
              to="/o/$organizationId/features/$featureKey"
              params={{ organizationId, featureKey }}
              search={{ overrides: 'all' }}
            >
              more overrides
            </Link>
          </List.Item>
        )}
      </List>
    </div>
  )
}
