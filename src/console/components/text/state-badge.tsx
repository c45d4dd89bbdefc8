import classes from './state-badge.module.css'
import { useNow } from './use-now.ts'

export type Tone = 'good' | 'bad' | 'warn' | 'neutral'

/** A state in a word; the colour only repeats it. */
export function StateBadge({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`${classes.badge} ${classes[tone]}`}>{children}</span>
}

/** Whether an override is in force. */
export function OverrideState({ expiresAt }: { expiresAt: string | null }) {
  const now = useNow()
  const isLive = expiresAt === null || new Date(expiresAt) > now
  return <StateBadge tone={isLive ? 'good' : 'neutral'}>{isLive ? 'live' : 'expired'}</StateBadge>
}

export function PlanState({ archivedAt }: { archivedAt: string | null }) {
  return archivedAt ? <StateBadge tone="neutral">archived</StateBadge> : <StateBadge tone="good">active</StateBadge>
}
