import { InfoIcon } from '../../../components/icons/actions.tsx'
import { formatExact } from '../../../components/text/format-time.ts'
import { useNow } from '../../../components/text/use-now.ts'
import classes from './another-time.module.css'

type Props = {
  at: string
  /** The name of the plan at that time. */
  plan: string | null
}

/** A notice above the table: the values are those of another time. */
export function AnotherTimeNotice({ at, plan }: Props) {
  const time = new Date(at)
  const isPast = time < useNow()
  return (
    <p className={classes.notice} role="status">
      <InfoIcon size={16} />
      <span>
        <strong>{isPast ? 'This is the past' : 'This is the future, as far as it is known'}</strong>:{' '}
        {formatExact(time)}, {plan === null ? 'without a plan' : `on plan ${plan}`}.
      </span>
    </p>
  )
}
