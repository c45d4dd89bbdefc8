import { Link } from '@tanstack/react-router'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { describeSubscribers } from '../count.ts'
import type { Plan } from '../plan.ts'
import classes from './matrix.module.css'
import type { Position } from './positions.ts'

export function MatrixHead({ plans, active }: { plans: readonly Plan[]; active: Position }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className={classes.corner}>
          Feature
        </th>
        {plans.map((plan, column) => (
          <PlanHead
            key={plan.key}
            plan={plan}
            column={column}
            isActive={active.row === -1 && active.column === column}
          />
        ))}
      </tr>
    </thead>
  )
}

/** A plan with its number of subscribers. */
function PlanHead({ plan, column, isActive }: { plan: Plan; column: number; isActive: boolean }) {
  const organizationId = useOrganizationId()
  return (
    <th scope="col" className={classes.plan} data-cell={`-1:${column}`} aria-colindex={column + 2}>
      <Link
        to="/o/$organizationId/plans/$planKey"
        params={{ organizationId, planKey: plan.key }}
        tabIndex={isActive ? 0 : -1}
        preload={false}
        title={plan.name === plan.key ? plan.name : `${plan.name} (${plan.key})`}
        className={classes.planName}
      >
        {plan.name}
      </Link>
      <span className={classes.count}>
        {plan.archivedAt ? 'archived, ' : ''}
        {plan.subscriberCount && describeSubscribers(plan.subscriberCount)}
      </span>
    </th>
  )
}
