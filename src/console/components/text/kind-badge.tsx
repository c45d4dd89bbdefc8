import type { FeatureKind } from '../../generated/features.ts'
import { ConfigIcon, FlagIcon, LimitIcon } from '../icons/meaning.tsx'
import classes from './badge.module.css'

const kinds = {
  FLAG: { Icon: FlagIcon, word: 'flag' },
  LIMIT: { Icon: LimitIcon, word: 'limit' },
  CONFIG: { Icon: ConfigIcon, word: 'config' },
}

/** The kind of a feature, by icon and word. `detail` follows the word, as the value type of a config. */
export function KindBadge({ kind, detail }: { kind: FeatureKind; detail?: string | null }) {
  const { Icon, word } = kinds[kind]
  return (
    <span className={classes.badge}>
      <Icon size={16} />
      {word}
      {detail && <span className={classes.dimmed}>{detail}</span>}
    </span>
  )
}
