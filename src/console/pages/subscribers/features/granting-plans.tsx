import { Group, Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { EntitlementValue } from '../../../components/text/entitlement-value.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { toValue } from '../../../components/text/value.ts'
import { GrantingPlansDocument, type GrantingPlansQuery } from '../../../generated/explanation.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { usePlanChoices } from '../use-plan-choices.ts'
import type { ExplainedFeature } from './explained.ts'

type Props = { feature: ExplainedFeature; plan: string | null }

/** The plans, except the subscriber's own, with which the subscriber would have the feature without an override. */
export function GrantingPlans({ feature: { key }, plan }: Props) {
  const query = useOrganizationQuery(GrantingPlansDocument, { key })
  return (
    <Loaded query={query} skeleton={<Skeleton height={20} />}>
      {({ feature: { grants } }) => (
        <PlanLinks grants={(grants ?? []).filter(({ planKey }) => planKey !== plan)} plan={plan} />
      )}
    </Loaded>
  )
}

type Grant = NonNullable<NonNullable<GrantingPlansQuery['feature']>['grants']>[number]

function PlanLinks({ grants, plan }: { grants: readonly Grant[]; plan: string | null }) {
  const organizationId = useOrganizationId()
  const choices = usePlanChoices() ?? []
  const archived = new Set(choices.flatMap(({ key, archivedAt }) => (archivedAt === null ? [] : [key])))
  const names = new Map(choices.map(({ key, name }) => [key, name]))
  const orderOf = ({ planKey }: Grant) => choices.findIndex(({ key }) => key === planKey)
  const sorted = grants.toSorted((one, other) => orderOf(one) - orderOf(other))
  if (grants.length === 0) return <Text c="dimmed">No {plan ? 'other ' : ''}plan grants it.</Text>
  return (
    <section aria-label="Plans that grant it">
      <Text fw={500} mb={4}>
        {plan ? 'Other plans that grant it' : 'Plans that grant it'}
      </Text>
      <Group gap="4px 16px">
        {sorted.map(({ planKey, grant }) => (
          <Group key={planKey} gap={6} wrap="nowrap">
            <Link
              to="/o/$organizationId/plans/$planKey"
              params={{ organizationId, planKey }}
              title={planKey}
              style={{ whiteSpace: 'nowrap' }}
            >
              {shortenMiddle(names.get(planKey) ?? planKey, 32)}
            </Link>
            <EntitlementValue {...toValue(grant)} />
            {archived.has(planKey) && <Text c="dimmed">(archived)</Text>}
          </Group>
        ))}
      </Group>
    </section>
  )
}
