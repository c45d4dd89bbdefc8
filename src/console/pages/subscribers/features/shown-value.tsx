import { EntitlementValue } from '../../../components/text/entitlement-value.tsx'
import { valueOfAnswer } from '../../../components/text/value.ts'
import type { Entitlement } from './explained.ts'
import classes from './shown-value.module.css'

/** A check's answer; a dash where nothing grants a config. */
export function ShownValue({ entitlement }: { entitlement: Entitlement }) {
  const value = valueOfAnswer(entitlement)
  return value ? <EntitlementValue {...value} /> : <span className={classes.nothing}>—</span>
}
