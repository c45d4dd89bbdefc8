import { Tooltip, VisuallyHidden } from '@mantine/core'
import classes from './webhook.module.css'
import type { Delivery } from './webhook.ts'

/** Draws at most this many attempts; an event that was sent again may have more. */
const maxDots = 10

type Props = { delivery: Pick<Delivery, 'attempts' | 'state'> }

/** One dot for each attempt: full if acknowledged, crossed if failed, empty if due next. Screen readers get words. */
export function AttemptDots({ delivery: { attempts, state } }: Props) {
  const shown = attempts.slice(-maxDots)
  const words = attempts.length === 0 ? 'none yet' : attempts.map(describeAttempt).join(', ')
  return (
    <>
      <Tooltip label={words} multiline maw={420}>
        <span className={classes.dots} aria-hidden="true" data-hint>
          {attempts.length > shown.length && <span className={classes.waiting}>+{attempts.length - shown.length}</span>}
          {shown.map(({ number, error }) => (
            <Dot key={number} look={error === null ? 'good' : 'bad'} />
          ))}
          {state === 'QUEUED' && <Dot look="waiting" />}
        </span>
      </Tooltip>
      <VisuallyHidden>{words}</VisuallyHidden>
    </>
  )
}

function describeAttempt({ number, error, status }: Delivery['attempts'][number]): string {
  const answer = status === null ? '' : ` with ${status}`
  return error === null ? `attempt ${number} acknowledged${answer}` : `attempt ${number} failed${answer}`
}

const paths = {
  good: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  bad: <path d="M2 2l6 6M8 2l-6 6" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />,
  waiting: <circle cx="5" cy="5" r="3.4" fill="none" stroke="currentColor" strokeWidth="1.2" />,
}

function Dot({ look }: { look: keyof typeof paths }) {
  return (
    <svg width={10} height={10} viewBox="0 0 10 10" className={classes[look]} aria-hidden="true" focusable="false">
      {paths[look]}
    </svg>
  )
}
