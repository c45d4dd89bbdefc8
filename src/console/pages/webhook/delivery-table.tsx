import { getRouteApi } from '@tanstack/react-router'
import { type Columns, DataTable } from '../../components/table/data-table.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { useMay } from '../../session/viewer.ts'
import { AttemptDots } from './attempt-dots.tsx'
import { DeliveryState } from './delivery-state.tsx'
import { NextAttempt } from './next-attempt.tsx'
import { SendAgain } from './send-again.tsx'
import classes from './webhook.module.css'
import { type Delivery, subjectOf, waitsForResume } from './webhook.ts'

const route = getRouteApi('/o/$organizationId/webhook')

function columnsOf(isPaused: boolean): Columns<Delivery> {
  return [
    { title: 'Event', render: (delivery) => <EventName delivery={delivery} /> },
    { title: 'State', card: 'beside', render: ({ state }) => <DeliveryState state={state} /> },
    { title: 'Attempts', card: 'below', render: (delivery) => <AttemptDots delivery={delivery} /> },
    { title: 'Last answer', text: 'rest', render: ({ attempts }) => describeLastAnswer(attempts) },
    {
      title: 'Next attempt',
      align: 'right',
      text: 'line',
      render: (delivery) => <NextAttempt delivery={delivery} isPaused={waitsForResume(delivery, isPaused)} />,
    },
    { title: 'Occurred', align: 'right', card: 'end', render: ({ occurredAt }) => <Moment at={occurredAt} /> },
  ]
}

export function DeliveryTable({ deliveries, isPaused }: { deliveries: readonly Delivery[]; isPaused: boolean }) {
  const search = route.useSearch()
  const mayWrite = useMay('webhooks:write')
  return (
    <DataTable
      label="Deliveries"
      rows={deliveries}
      rowKey={({ id }) => id}
      columns={columnsOf(isPaused)}
      to={({ id }) => ({
        to: '/o/$organizationId/webhook',
        search: { ...search, delivery: id },
      })}
      {...(mayWrite && {
        actions: (delivery: Delivery) => (
          <SendAgain delivery={delivery} isPaused={waitsForResume(delivery, isPaused)} size="compact-sm" />
        ),
      })}
    />
  )
}

function EventName({ delivery }: { delivery: Delivery }) {
  return (
    <span className={classes.event}>
      <code>{delivery.type}</code>
      <span className={classes.subject}>{shortenMiddle(subjectOf(delivery), 40)}</span>
    </span>
  )
}

/** The status of the last answer, or the error if no answer came. */
function describeLastAnswer(attempts: Delivery['attempts']): string {
  const last = attempts.at(-1)
  return last ? String(last.status ?? shortenMiddle(last.error ?? '', 48)) : '—'
}
