import { Group, Title } from '@mantine/core'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { roleName } from '../../../components/text/role-words.ts'
import { StateBadge } from '../../../components/text/state-badge.tsx'
import type { Role } from '../../../generated/session.ts'
import { RolesDocument } from '../../../generated/team.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useViewer } from '../../../session/viewer.ts'
import classes from './role-table.module.css'

/** The roles of the service, and what each may do, in words. */
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
  const isOwnRole = useViewer()?.role === role
  return (
    <li className={classes.role}>
      <Group gap={8} align="flex-start">
        <Title order={2}>{roleName(role)}</Title>
        {isOwnRole && <StateBadge tone="neutral">yours</StateBadge>}
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

const labelSentences: Record<string, string> = {
  'entitlements:read': 'Check what a subscriber may use. Each check is an eval.',
  'features:read': 'See the features.',
  'features:write': 'Add, change and delete features.',
  'plans:read': 'See the plans, what they grant and how many subscribers have them.',
  'plans:write': 'Add, change, archive and delete plans.',
  'subscribers:read': 'See the subscribers and their subscriptions.',
  'subscribers:write': 'Add, rename and delete subscribers, and change or cancel their plans.',
  'overrides:read': 'See the overrides, and why a subscriber has what they have.',
  'overrides:write': 'Set, change and remove overrides.',
  'webhooks:read': 'See the webhook and its deliveries.',
  'webhooks:write': 'Set up, test and pause the webhook, and send events again.',
  'org:read': 'See the organization, its counts and its roles.',
  'org:write': 'Rename the organization.',
  'org:audit:read': 'Read the audit log.',
  'members:read': 'See the members.',
  'members:write': 'Change the roles of members, and disable or remove them.',
  'service-accounts:read': 'See the service accounts and the first characters of their keys.',
  'service-accounts:write': 'Add and delete service accounts and their keys.',
  'invites:read': 'See the invites with their links.',
  'invites:write': 'Invite people, and revoke invites.',
}

/** The permission of a label, as a sentence; the label itself if this console does not know it. */
function describeLabel(label: string): string {
  return labelSentences[label] ?? label
}

type RoleStep<Role> = {
  role: Role
  /** The largest other role whose labels this role includes. */
  beyond: Role | null
  /** The labels that `beyond` lacks. */
  added: string[]
}

/** Sorts the roles by their number of labels; each lists the labels that it adds to the largest role that it includes. */
function toRoleSteps<Role>(roles: readonly { role: Role; labels: readonly string[] }[]): RoleStep<Role>[] {
  const bySize = roles.toSorted((one, other) => one.labels.length - other.labels.length)
  return bySize.map(({ role, labels }, index) => {
    const included = bySize.slice(0, index).findLast((each) => each.labels.every((label) => labels.includes(label)))
    return {
      role,
      beyond: included?.role ?? null,
      added: labels.filter((label) => !included?.labels.includes(label)),
    }
  })
}
