import { Text, Title } from '@mantine/core'
import { Moment } from '../../../components/text/moment.tsx'
import { StateBadge } from '../../../components/text/state-badge.tsx'
import type { Attempt } from '../webhook.ts'
import classes from './delivery.module.css'

type Props = {
  attempts: readonly Attempt[]
  /** Whether the first attempt waits until deliveries resume. */
  isPaused: boolean
}

/** Newest first, because people wait for the newest attempt. */
export function AttemptList({ attempts, isPaused }: Props) {
  return (
    <section aria-label="Attempts" aria-live="polite">
      <Title order={3} mb={4}>
        Attempts
      </Title>
      {attempts.length === 0 && (
        <Text c="dimmed">
          {isPaused
            ? 'None yet: deliveries are paused. The event is queued and will be sent when they resume.'
            : 'None yet. The first one will appear here.'}
        </Text>
      )}
      <ol className={classes.attempts} reversed>
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.number}>
            <AttemptItem attempt={attempt} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function AttemptItem({
  attempt: { number, startedAt, durationMs, status, error, answer, headers },
}: {
  attempt: Attempt
}) {
  return (
    <>
      <div className={classes.attempt}>
        <strong>Attempt {number}</strong>
        <StateBadge tone={error === null ? 'good' : 'bad'}>{status === null ? 'no answer' : String(status)}</StateBadge>
        <span className={classes.when}>
          <Moment at={startedAt} />, took {durationMs} ms
        </span>
      </div>
      {error !== null && <Text className={classes.error}>{error}</Text>}
      {answer !== null && answer !== '' && <Pre title="Answer" text={answer} isOpen />}
      {headers !== null && <Pre title="Headers as sent" text={toLines(headers as Record<string, string>)} />}
    </>
  )
}

function Pre({ title, text, isOpen = false }: { title: string; text: string; isOpen?: boolean }) {
  return (
    <details className={classes.part} open={isOpen}>
      <summary>{title}</summary>
      <pre>{text}</pre>
    </details>
  )
}

function toLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
