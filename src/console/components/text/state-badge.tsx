import { Moment } from './moment.tsx'
import { startsLater } from './starts-later.ts'
import classes from './state-badge.module.css'
import { useNow } from './use-now.ts'

export type Tone = 'good' | 'bad' | 'warn' | 'neutral'

/** Shows a state as a word; the color adds no information. */
export function StateBadge({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`${classes.badge} ${classes[tone]}`}>{children}</span>
}

type OverrideTimes = { startsAt: string | null; expiresAt: string | null }

/** Whether an override is in force, or when it starts. */
export function OverrideState({ startsAt, expiresAt }: OverrideTimes) {
  const now = useNow()
  if (startsLater(startsAt, now)) {
    return (
      <>
        <StateBadge tone="warn">scheduled</StateBadge> starts <Moment at={startsAt} />
      </>
    )
  }
  const isLive = expiresAt === null || new Date(expiresAt) > now
  return <StateBadge tone={isLive ? 'good' : 'neutral'}>{isLive ? 'live' : 'expired'}</StateBadge>
}

export function PlanState({ archivedAt }: { archivedAt: string | null }) {
  return archivedAt ? <StateBadge tone="neutral">archived</StateBadge> : <StateBadge tone="good">active</StateBadge>
}
