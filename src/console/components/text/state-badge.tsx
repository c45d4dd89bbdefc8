import classes from './state-badge.module.css'

export type Tone = 'good' | 'bad' | 'warn' | 'neutral'

/** A state in a word; the colour only repeats it. */
export function StateBadge({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`${classes.badge} ${classes[tone]}`}>{children}</span>
}
