import { ForwardIcon } from '../../../components/icons/navigation.tsx'
import { EntitlementValue, type Value } from '../../../components/text/entitlement-value.tsx'
import type { FeatureKind } from '../../../generated/plans.ts'
import classes from './grant-cell.module.css'

type Props = { kind: FeatureKind; value: Value | null }

/** Shows a plan's value for a feature, or that the plan does not grant the feature. */
export function GrantCell({ kind, value }: Props) {
  if (value) return <EntitlementValue {...value} />
  if (kind === 'FLAG') return <EntitlementValue kind="FLAG" allowed={false} />
  return (
    <span className={classes.none}>
      <span aria-hidden="true">–</span>
      <span className={classes.hidden}>not granted</span>
    </span>
  )
}

/** Shows a change, from the old to the new value. */
export function GrantChange({ kind, from, to }: { kind: FeatureKind; from: Value | null; to: Value | null }) {
  return (
    <span className={classes.change}>
      <del className={classes.from}>
        <GrantCell kind={kind} value={from} />
      </del>
      <span className={classes.arrow}>
        <ForwardIcon size={12} />
        <span className={classes.hidden}>becomes</span>
      </span>
      <ins className={classes.to}>
        <GrantCell kind={kind} value={to} />
      </ins>
    </span>
  )
}
