import { type Column, DataTable } from '../../components/table/data-table.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { StateBadge, type Tone } from '../../components/text/state-badge.tsx'
import type { AuditLogQuery } from '../../generated/audit-log.ts'

type Entry = NonNullable<AuditLogQuery['auditEvents']>['nodes'][number]

const columns: readonly [Column<Entry>, ...Column<Entry>[]] = [
  { title: 'What', render: describe },
  {
    title: 'Actor',
    render: ({ actor }) =>
      actor.memberId === null ? '—' : <KeyText value={actor.memberId} max={14} copy="member id" />,
  },
  { title: 'Outcome', render: (entry) => <Outcome entry={entry} /> },
  { title: 'Request', render: ({ requestId }) => <KeyText value={requestId} max={16} copy="request id" /> },
  { title: 'When', align: 'right', render: ({ occurredAt }) => <Moment at={occurredAt} /> },
]

export function AuditTable({ entries }: { entries: readonly Entry[] }) {
  return <DataTable label="Audit log" rows={entries} rowKey={({ id }) => id} columns={columns} />
}

/** The route with the values of its braces: "PATCH /org/plans/pro". */
function describe({ method, route, params, createdId }: Entry) {
  const values = new Map(params.map(({ name, value }) => [name, value]))
  const path = route.replace(/\{(\w+)\}/g, (braces, name: string) => values.get(name) ?? braces)
  return (
    <code>
      {method} {shortenMiddle(path, 80)}
      {createdId !== null && ` → ${shortenMiddle(createdId, 26)}`}
    </code>
  )
}

function Outcome({ entry: { outcome, status } }: { entry: Entry }) {
  const isDone = outcome === 'RESPONDED' && status !== null && status < 400
  const tone: Tone = isDone ? 'good' : outcome === 'PENDING' ? 'warn' : 'bad'
  return (
    <StateBadge tone={tone}>{status === null ? outcome.toLowerCase().replace('_', ' ') : String(status)}</StateBadge>
  )
}
