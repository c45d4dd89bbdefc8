import { CrossIcon, DoneIcon } from '../icons/actions.tsx'
import { describeConfig } from './describe-value.ts'
import classes from './entitlement-value.module.css'
import { Figure } from './figure.tsx'
import { formatNumber } from './number.ts'
import type { Value } from './value.ts'

export type { Value } from './value.ts'

/** Shows any value: ✓ or ✗, 1,000 or ∞, "eu-west", or one line for JSON. */
export function EntitlementValue(props: Value) {
  switch (props.kind) {
    case 'FLAG':
      return props.allowed ? (
        <span className={classes.on}>
          <DoneIcon size={16} />
          <span className={classes.hidden}>on</span>
        </span>
      ) : (
        <span className={classes.off}>
          <CrossIcon size={16} />
          <span className={classes.hidden}>off</span>
        </span>
      )
    case 'LIMIT':
      if (props.limit !== null) return <Figure>{formatNumber(props.limit)}</Figure>
      return (
        <span>
          <span aria-hidden="true" className={classes.unlimited}>
            ∞
          </span>
          <span className={classes.hidden}>unlimited</span>
        </span>
      )
    case 'CONFIG':
      return <ConfigValue text={describeConfig(props.value)} />
  }
}

/** Values of up to this many characters stay on one line. */
const maxOneLineLength = 24

function ConfigValue({ text }: { text: string }) {
  return <code className={text.length <= maxOneLineLength ? classes.line : classes.config}>{text}</code>
}
