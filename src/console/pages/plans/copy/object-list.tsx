import type { Feature, Plan } from '../../../../core/catalog/catalog.ts'
import { KeyText } from '../../../components/text/key-text.tsx'
import { KindBadge } from '../../../components/text/kind-badge.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { StateBadge } from '../../../components/text/state-badge.tsx'
import type { FeatureKind } from '../../../generated/plans.ts'
import { plural } from '../count.ts'
import classes from './copy.module.css'

/** Features and plans by name, with their kind. */
export function ObjectList({ features, plans }: { features: readonly Feature[]; plans: readonly Plan[] }) {
  return (
    <ul className={classes.list}>
      {features.map(({ key, name, kind, value_type }) => (
        <li key={`feature ${key}`} className={classes.object}>
          <span className={classes.name}>{shortenMiddle(name, 60)}</span>
          <KeyText value={key} max={28} />
          <span className={classes.what}>
            <KindBadge kind={kind.toUpperCase() as FeatureKind} detail={value_type} />
          </span>
        </li>
      ))}
      {plans.map(({ key, name, archived, grants }) => (
        <li key={`plan ${key}`} className={classes.object}>
          <span className={classes.name}>{shortenMiddle(name, 60)}</span>
          <KeyText value={key} max={28} />
          {archived && <StateBadge tone="neutral">archived</StateBadge>}
          <span className={classes.what}>plan, {plural(grants.size, 'grant')}</span>
        </li>
      ))}
    </ul>
  )
}
