import { Link } from '@tanstack/react-router'
import { use } from 'react'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { describeSubscribers } from '../count.ts'
import { MoveButton, type Neighbors } from '../order/move-button.tsx'
import { MovesContext } from '../order/use-moves.ts'
import type { Plan } from '../plan.ts'
import classes from './matrix.module.css'
import type { Position } from './positions.ts'
import { neighborsOf } from './rows.ts'

export function MatrixHeader({ plans, active }: { plans: readonly Plan[]; active: Position }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className={classes.corner}>
          Feature
        </th>
        {plans.map((plan, column) => (
          <PlanHeader
            key={plan.key}
            plan={plan}
            column={column}
            neighbors={neighborsOf(plans, column)}
            isActive={active.row === -1 && active.column === column}
          />
        ))}
      </tr>
    </thead>
  )
}

type Props = { plan: Plan; column: number; neighbors: Neighbors; isActive: boolean }

/** A plan with its number of subscribers. */
function PlanHeader({ plan, column, neighbors, isActive }: Props) {
  const organizationId = useOrganizationId()
  const mayMove = use(MovesContext) !== null
  return (
    <th
      scope="col"
      className={classes.plan}
      data-cell={`-1:${column}`}
      aria-colindex={column + 2}
      {...(mayMove && { 'data-move': 'plan', 'data-move-key': plan.key })}
    >
      <Link
        to="/o/$organizationId/plans/$planKey"
        params={{ organizationId, planKey: plan.key }}
        tabIndex={isActive ? 0 : -1}
        preload={false}
        title={plan.name === plan.key ? plan.name : `${plan.name} (${plan.key})`}
        className={classes.planName}
        draggable={mayMove ? false : undefined}
      >
        {plan.name}
      </Link>
      <span className={classes.count}>
        {plan.archivedAt ? 'archived, ' : ''}
        {plan.subscriberCount && describeSubscribers(plan.subscriberCount)}
      </span>
      <MoveButton kind="plan" itemKey={plan.key} name={plan.name} neighbors={neighbors} isTabStop={isActive} />
    </th>
  )
}
