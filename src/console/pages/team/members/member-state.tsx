import { StateBadge } from '../../../components/text/state-badge.tsx'
import type { MemberStatus } from '../../../generated/team.ts'

export function MemberState({ status }: { status: MemberStatus }) {
  return <StateBadge tone={status === 'ACTIVE' ? 'good' : 'warn'}>{status.toLowerCase()}</StateBadge>
}
