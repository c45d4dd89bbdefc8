import { Skeleton, Text } from '@mantine/core'
import { Section } from '../../components/page/section.tsx'
import { PagedList } from '../../components/table/paged-list.tsx'
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
  const pages = useOrganizationPages(ExpiringOverridesDocument, { expiresBefore }, ({ overrides }) => overrides)
  const none = <Text c="dimmed">No override ends in this time.</Text>
  return (
    <Section title="Overrides that end in the next 7 days">
      <PagedList pages={pages} skeleton={<Skeleton height={110} />} none={none} keepsRows>
        {(overrides) => <ExpiringList overrides={overrides} />}
      </PagedList>
    </Section>
  )
}
