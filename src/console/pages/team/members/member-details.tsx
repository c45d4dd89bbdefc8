import { Link } from '@tanstack/react-router'
import { Properties } from '../../../components/page/properties.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { describeRole, roleName } from '../../../components/text/role-words.ts'
import type { MemberRowFragment } from '../../../generated/team.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useMay } from '../../../session/viewer.ts'
import { LastSeen } from '../last-seen.tsx'
import { MemberState } from './member-state.tsx'

export function MemberDetails({ member }: { member: MemberRowFragment }) {
  const organizationId = useOrganizationId()
  const mayReadAuditLog = useMay('org:audit:read')
  const { role, status, lastSeenAt, createdAt, userId, memberId, serviceAccountId } = member
  return (
    <Properties
      items={[
        ['Role', `${roleName(role)}. ${describeRole(role)}`],
        ['State', <MemberState key="state" status={status} />],
        ['Last seen', <LastSeen key="seen" at={lastSeenAt} />],
        ['Member since', <Moment key="since" at={createdAt} />],
        ['Member id', <KeyText key="member" value={memberId} copy="member id" />],
        ...(userId ? ([['User id', <KeyText key="user" value={userId} copy="user id" />]] as const) : []),
        ...(serviceAccountId
          ? ([
              [
                'Service account',
                <Link
                  key="account"
                  to="/o/$organizationId/team/service-accounts/$serviceAccountId"
                  params={{ organizationId, serviceAccountId }}
                >
                  Its keys
                </Link>,
              ],
            ] as const)
          : []),
        ...(mayReadAuditLog
          ? ([
              [
                'What they did',
                <Link
                  key="did"
                  to="/o/$organizationId/audit-log"
                  params={{ organizationId }}
                  search={{ actor: memberId }}
                >
                  In the audit log
                </Link>,
              ],
            ] as const)
          : []),
      ]}
    />
  )
}
