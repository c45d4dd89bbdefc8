import type { Plan } from '../plan.ts'
import classes from './matrix.module.css'
import { PlanHead } from './plan-head.tsx'
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
