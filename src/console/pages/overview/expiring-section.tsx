import { Text } from '@mantine/core'
import { useOrganizationPages } from '../../api/queries.ts'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { Section } from '../../components/page/section.tsx'
import { type Column, DataTable } from '../../components/table/data-table.tsx'
import { LoadMore } from '../../components/table/load-more.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { EntitlementValue } from '../../components/text/entitlement-value.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { overrideValue } from '../../components/text/override-value.ts'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { useNow } from '../../components/text/use-now.ts'
import { useOrganizationId } from '../../frame/use-organization-id.ts'
import { ExpiringOverridesDocument, type ExpiringOverridesQuery } from '../../generated/overview.ts'

type Override = NonNullable<ExpiringOverridesQuery['overrides']>['nodes'][number]

const hourMs = 3_600_000
const windowMs = 7 * 24 * hourMs

const columns: readonly [Column<Override>, ...Column<Override>[]] = [
  {
    title: 'Subscriber',
    render: ({ subscriberId, subscriber }) => shortenMiddle(subscriber?.name ?? subscriberId, 32),
  },
  { title: 'Feature', render: ({ feature }) => <KeyText value={feature} max={24} /> },
  { title: 'Value', render: (override) => <EntitlementValue {...overrideValue(override)} /> },
  { title: 'Set by', render: ({ setBy }) => (setBy ? shortenMiddle(setBy.displayName, 20) : '') },
  { title: 'Ends', align: 'right', render: ({ expiresAt }) => expiresAt && <Moment at={expiresAt} /> },
]

/** Overrides that end within a week: what subscribers have now and will not have then. */
export function ExpiringSection() {
  const organizationId = useOrganizationId()
  const now = useNow().getTime()
  // To the hour, so that it is the same read for an hour.
  const expiresBefore = new Date(Math.ceil(now / hourMs) * hourMs + windowMs).toISOString()
  const { nodes, query, ...more } = useOrganizationPages(
    ExpiringOverridesDocument,
    { expiresBefore },
    ({ overrides }) => overrides,
  )
  return (
    <Section title="Overrides that end in the next 7 days">
      {query.error && <ErrorPanel error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <TableSkeleton rows={3} />}
      {!query.isPending && !query.error && nodes.length === 0 && <Text c="dimmed">None ends.</Text>}
      {nodes.length > 0 && (
        <DataTable
          label="Overrides that end in the next 7 days"
          rows={nodes}
          rowKey={({ id }) => id}
          columns={columns}
          to={({ subscriberId }) => ({
            to: '/o/$organizationId/subscribers/$subscriberId',
            params: { organizationId, subscriberId },
          })}
        />
      )}
      <LoadMore {...more} />
    </Section>
  )
}
