import { Properties } from '../../../components/page/properties.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { describeRole, roleName } from '../../../components/text/role-words.ts'
import { MemberDocument } from '../../../generated/team.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { LastSeen } from '../last-seen.tsx'
import { MemberState } from '../members/member-state.tsx'
import type { Account } from './account.ts'

export function AccountDetails({ account }: { account: Account }) {
  const { role, memberId, serviceAccountId, createdAt } = account
  const mayReadMembers = useMay('members:read')
  const member = useOrganizationQuery(MemberDocument, { memberId }, { enabled: mayReadMembers }).data?.member
  return (
    <Properties
      items={[
        ['Role', `${roleName(role)}. ${describeRole(role)}`],
        ['State', member ? <MemberState key="state" status={member.status} /> : '—'],
        ['Last seen', <LastSeen key="seen" at={member?.lastSeenAt ?? null} />],
        ['Made', <Moment key="made" at={createdAt} />],
        ['Service account id', <KeyText key="id" value={serviceAccountId} copy="service account id" />],
        ['Member id', <KeyText key="member" value={memberId} copy="member id" />],
      ]}
    />
  )
}
