import { Link } from '@tanstack/react-router'
import { toProperties } from '../../../components/form/fields.tsx'
import { Properties } from '../../../components/page/properties.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { LastSeen, Moment } from '../../../components/text/moment.tsx'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useMay } from '../../../session/viewer.ts'
import { type Member, memberFields } from './member.ts'
import { MemberState } from './member-state.tsx'

export function MemberDetails({ member }: { member: Member }) {
  const organizationId = useOrganizationId()
  const mayReadAuditLog = useMay('org:audit:read')
  const { status, byGroup, lastSeenAt, createdAt, userId, memberId, serviceAccountId } = member
  return (
    <Properties
      items={[
        ...toProperties(memberFields(member), member),
        ['State', <MemberState key="state" status={status} />],
        byGroup && ['Member', 'by group: the groups at the identity provider decide on the role at each sign-in'],
        ['Last seen', <LastSeen key="seen" at={lastSeenAt} />],
        ['Member since', <Moment key="since" at={createdAt} />],
        ['Member id', <KeyText key="member" value={memberId} copy="member id" />],
        userId !== null && ['User id', <KeyText key="user" value={userId} copy="user id" />],
        serviceAccountId !== null && [
          'Service account',
          <Link
            key="account"
            to="/o/$organizationId/team/service-accounts/$serviceAccountId"
            params={{ organizationId, serviceAccountId }}
          >
            Its keys
          </Link>,
        ],
        mayReadAuditLog && [
          'What they did',
          <Link key="did" to="/o/$organizationId/audit-log" params={{ organizationId }} search={{ actor: memberId }}>
            In the audit log
          </Link>,
        ],
      ]}
    />
  )
}
