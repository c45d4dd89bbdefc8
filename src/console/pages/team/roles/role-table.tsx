import { Group, Title } from '@mantine/core'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { roleName } from '../../../components/text/role-words.ts'
import { StateBadge } from '../../../components/text/state-badge.tsx'
import type { Role } from '../../../generated/session.ts'
import { RolesDocument } from '../../../generated/team.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useViewer } from '../../../session/viewer.ts'
import { describeLabel } from './label-words.ts'
import { type RoleStep, toRoleSteps } from './role-steps.ts'
import classes from './role-table.module.css'

/** The service's own table of roles, in words. */
export function RoleTable() {
  const query = useOrganizationQuery(RolesDocument, {})
  return (
    <Loaded query={query} skeleton={<TableSkeleton rows={5} />}>
      {({ roles }) => (
        <ul className={classes.roles} aria-label="Roles">
          {toRoleSteps(roles).map((step) => (
            <RoleRow key={step.role} {...step} />
          ))}
        </ul>
      )}
    </Loaded>
  )
}

function RoleRow({ role, beyond, added }: RoleStep<Role>) {
  const isViewers = useViewer()?.role === role
  return (
    <li className={classes.role}>
      <Group gap={8} align="flex-start">
        <Title order={2}>{roleName(role)}</Title>
        {isViewers && <StateBadge tone="neutral">yours</StateBadge>}
      </Group>
      <div>
        {beyond && <p className={classes.beyond}>Everything that {roleName(beyond)} may do, and:</p>}
        <ul className={classes.sentences}>
          {added.map((label) => (
            <li key={label}>{describeLabel(label)}</li>
          ))}
        </ul>
      </div>
    </li>
  )
}
