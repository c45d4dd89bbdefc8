import { type Column, DataTable } from '../../components/table/data-table.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { StateBadge, type Tone } from '../../components/text/state-badge.tsx'
import type { WebhookEventState, WebhookEventsQuery } from '../../generated/webhook.ts'

type Event = NonNullable<WebhookEventsQuery['webhookEvents']>['nodes'][number]

const tones: Record<WebhookEventState, Tone> = { QUEUED: 'neutral', DELIVERED: 'good', FAILED: 'bad' }

const columns: readonly [Column<Event>, ...Column<Event>[]] = [
  { title: 'Event', render: ({ type }) => <code>{type}</code> },
  { title: 'State', render: ({ state }) => <StateBadge tone={tones[state]}>{state.toLowerCase()}</StateBadge> },
  { title: 'Attempts', align: 'right', render: ({ attempts }) => attempts.length },
  { title: 'Last answer', render: ({ attempts }) => attempts.at(-1)?.status ?? attempts.at(-1)?.error ?? '—' },
  { title: 'Id', render: ({ id }) => <KeyText value={id} max={16} copy="event id" /> },
  { title: 'Occurred', align: 'right', render: ({ occurredAt }) => <Moment at={occurredAt} /> },
]

export function DeliveryTable({ events }: { events: readonly Event[] }) {
  return <DataTable label="Deliveries" rows={events} rowKey={({ id }) => id} columns={columns} />
}
