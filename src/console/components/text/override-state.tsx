import { StateBadge } from './state-badge.tsx'
import { useNow } from './use-now.ts'

/** Whether an override counts now. */
export function OverrideState({ expiresAt }: { expiresAt: string | null }) {
  const now = useNow()
  const isLive = expiresAt === null || new Date(expiresAt) > now
  return <StateBadge tone={isLive ? 'good' : 'neutral'}>{isLive ? 'live' : 'expired'}</StateBadge>
}
