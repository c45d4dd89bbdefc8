import { StateBadge } from '../../../components/text/state-badge.tsx'

export function PlanState({ archivedAt }: { archivedAt: string | null }) {
  return archivedAt ? <StateBadge tone="neutral">archived</StateBadge> : <StateBadge tone="good">active</StateBadge>
}
