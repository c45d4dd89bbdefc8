import { Moment } from '../../components/text/moment.tsx'
import { useNowEverySecond } from '../../components/text/use-now.ts'
import type { Delivery } from './webhook.ts'

const hourMs = 3_600_000

type Props = { delivery: Pick<Delivery, 'type' | 'state' | 'dueAt'>; isPaused: boolean }

/** When the next attempt of a queued event is due; a countdown if that is within an hour. */
export function NextAttempt({ delivery: { type, state, dueAt }, isPaused }: Props) {
  if (state !== 'QUEUED' || dueAt === null) return '—'
  // The only attempt of a test is under way.
  if (type === 'webhook.test') return 'now'
  if (isPaused) return 'when resumed'
  if (Date.parse(dueAt) - Date.now() > hourMs) return <Moment at={dueAt} />
  return <Countdown dueAt={dueAt} />
}

function Countdown({ dueAt }: { dueAt: string }) {
  const seconds = Math.ceil((Date.parse(dueAt) - useNowEverySecond().getTime()) / 1000)
  if (seconds <= 0) return 'now'
  return (
    <span role="timer">
      in {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </span>
  )
}
