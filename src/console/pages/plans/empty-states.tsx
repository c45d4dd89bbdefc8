import { Link } from '@tanstack/react-router'
import { EmptyList, EmptyState } from '../../components/feedback/empty-state.tsx'
import { useOrganizationId } from '../../session/organization-id.ts'
import type { Plan } from './plan.ts'

export function NoPlans({ onAdd }: { onAdd: (() => void) | null }) {
  return (
    <EmptyList title="No plans yet" action="Add the first plan" onAdd={onAdd}>
      A plan grants features to everyone who subscribes to it.
    </EmptyList>
  )
}

/** Plans without any feature: there is nothing to grant. */
export function NoFeatures({ plans }: { plans: readonly Plan[] }) {
  const organizationId = useOrganizationId()
  return (
    <EmptyState title="No features yet">
      Plans grant features, so add{' '}
      <Link to="/o/$organizationId/features" params={{ organizationId }}>
        a feature
      </Link>{' '}
      first. Plans so far:{' '}
      {plans.map(({ key, name }, index) => (
        <span key={key}>
          {index > 0 && ', '}
          <Link to="/o/$organizationId/plans/$planKey" params={{ organizationId, planKey: key }}>
            {name}
          </Link>
        </span>
      ))}
      .
    </EmptyState>
  )
}
