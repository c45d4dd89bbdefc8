import { Skeleton, Text } from '@mantine/core'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { Section } from '../../components/page/section.tsx'
import { LoadMore } from '../../components/table/load-more.tsx'
import { useNow } from '../../components/text/use-now.ts'
import { ExpiringOverridesDocument } from '../../generated/overview.ts'
import { useOrganizationPages } from '../../session/queries.ts'
import { ExpiringList } from './expiring-list.tsx'

const hourMs = 3_600_000
const windowMs = 7 * 24 * hourMs

/** Overrides that end within a week: what subscribers have now and will not have then. */
export function ExpiringSection() {
  const now = useNow().getTime()
  // Rounded to the hour, so that the read stays the same for an hour.
  const expiresBefore = new Date(Math.ceil(now / hourMs) * hourMs + windowMs).toISOString()
  const { nodes, query, ...more } = useOrganizationPages(
    ExpiringOverridesDocument,
    { expiresBefore },
    ({ overrides }) => overrides,
  )
  return (
    <Section title="Overrides that end in the next 7 days">
      {query.error && <ErrorPanel error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <Skeleton height={110} />}
      {!query.isPending && !query.error && nodes.length === 0 && <Text c="dimmed">No override ends in this time.</Text>}
      {nodes.length > 0 && <ExpiringList overrides={nodes} />}
      <LoadMore {...more} />
    </Section>
  )
}
