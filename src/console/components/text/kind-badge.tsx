import type { FeatureKind } from '../../generated/features.ts'
import { ConfigIcon, FlagIcon, LimitIcon } from '../icons/meaning.tsx'
import classes from './badge.module.css'

const kinds = {
  FLAG: { Icon: FlagIcon, word: 'flag', many: 'Flags' },
  LIMIT: { Icon: LimitIcon, word: 'limit', many: 'Limits' },
  CONFIG: { Icon: ConfigIcon, word: 'config', many: 'Configs' },
}

/** Shows the kind of a feature as an icon and a word. `detail` follows the word, such as the value type of a config. */
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

/** The heading above the features of one kind: "Flags 20". */
export function KindHeading({ kind, count }: { kind: FeatureKind; count: number }) {
  const { Icon, many } = kinds[kind]
  return (
    <span className={classes.badge}>
      <Icon size={16} />
      {many}
      <span className={classes.dimmed}>{count}</span>
    </span>
  )
}
