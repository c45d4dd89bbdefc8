import { NoneIcon, OverrideIcon, PlanIcon } from '../icons/meaning.tsx'
import classes from './badge.module.css'

type Source = 'OVERRIDE' | 'PLAN' | 'NONE'

const sources = {
  OVERRIDE: { Icon: OverrideIcon, word: 'override', look: classes.accent },
  PLAN: { Icon: PlanIcon, word: 'plan', look: '' },
  NONE: { Icon: NoneIcon, word: 'none', look: classes.dimmed },
}

/** Shows where an entitlement comes from, as an icon and a word. */
export function SourceBadge({ source }: { source: Source }) {
  const { Icon, word, look } = sources[source]
  return (
    <span className={`${classes.badge} ${look}`}>
      <Icon size={16} />
      {word}
    </span>
  )
}
