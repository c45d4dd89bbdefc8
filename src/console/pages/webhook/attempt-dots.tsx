import { VisuallyHidden } from '@mantine/core'
import classes from './webhook.module.css'
import type { Delivery } from './webhook.ts'

/** At most so many are drawn; an event that was sent again may have more. */
const mostDots = 10

type Props = { delivery: Pick<Delivery, 'attempts' | 'state'> }

/** One sign for each attempt: ● acknowledged, ✕ failed, ○ the one that is due. In words for a screen reader. */
export function AttemptDots({ delivery: { attempts, state } }: Props) {
  const shown = attempts.slice(-mostDots)
  return (
    <>
      <span className={classes.dots} aria-hidden="true">
        {attempts.length > shown.length && <span className={classes.waiting}>+{attempts.length - shown.length}</span>}
        {shown.map(({ number, error }) => (
          <span key={number} className={error === null ? classes.good : classes.bad}>
            {error === null ? '●' : '✕'}
          </span>
        ))}
        {state === 'QUEUED' && <span className={classes.waiting}>○</span>}
      </span>
      <VisuallyHidden>{attempts.length === 0 ? 'none yet' : attempts.map(describeAttempt).join(', ')}</VisuallyHidden>
    </>
  )
}

function describeAttempt({ number, error, status }: Delivery['attempts'][number]): string {
  const answer = status === null ? '' : ` with ${status}`
  return error === null ? `attempt ${number} acknowledged${answer}` : `attempt ${number} failed${answer}`
}
