import { type Column, DataTable } from '../../components/table/data-table.tsx'
import { EntitlementValue, type Value } from '../../components/text/entitlement-value.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { KindBadge } from '../../components/text/kind-badge.tsx'
import { Moment } from '../../components/text/moment.tsx'
import type { SubscriberQuery } from '../../generated/subscribers.ts'

type Override = NonNullable<NonNullable<SubscriberQuery['subscriber']>['overrides']>[number]

const columns: readonly [Column<Override>, ...Column<Override>[]] = [
  { title: 'Feature', render: ({ feature }) => <KeyText value={feature} /> },
  { title: 'Kind', render: ({ kind }) => <KindBadge kind={kind} /> },
  { title: 'Value', render: (override) => <EntitlementValue {...toValue(override)} /> },
  { title: 'Expires', render: ({ expiresAt }) => (expiresAt === null ? 'never' : <Moment at={expiresAt} />) },
  { title: 'Changed', align: 'right', render: ({ updatedAt }) => <Moment at={updatedAt} /> },
]

export function OverrideTable({ overrides }: { overrides: readonly Override[] }) {
  return <DataTable label="Overrides" rows={overrides} rowKey={({ id }) => id} columns={columns} />
}

function toValue({ kind, allowed, limit, value }: Override): Value {
  switch (kind) {
    case 'FLAG':
      return { kind, allowed: allowed === true }
    case 'LIMIT':
      return { kind, limit }
    case 'CONFIG':
      return { kind, value }
  }
}
