import { Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useOrganizationId } from '../../session/organization-id.ts'
import { useMay } from '../../session/viewer.ts'
import { Section } from '../page/section.tsx'
import { PagedList } from '../table/paged-list.tsx'
import { EntryList } from './entry-list.tsx'
import { type HistoryOf, toHistoryFilter, toHistorySearch } from './history-of.ts'
import { useEntryPages } from './use-entries.ts'

/** A section with the history of an object, for its page; nothing for those who may not read the audit log. */
export function ObjectHistory({ of }: { of: HistoryOf }) {
  if (!useMay('org:audit:read')) return null
  return (
    <Section title="History" description="Who changed it, newest first." actions={<HistoryLink of={of} />}>
      <HistoryList of={of} />
    </Section>
  )
}

/** A link to the filtered audit log; nothing for those who may not read it. */
export function HistoryLink({ of, children = 'In the audit log' }: { of: HistoryOf; children?: string }) {
  const organizationId = useOrganizationId()
  if (!useMay('org:audit:read')) return null
  return (
    <Link to="/o/$organizationId/audit-log" params={{ organizationId }} search={toHistorySearch(of)}>
      {children}
    </Link>
  )
}

/** The changes of an object as sentences, newest first; each links to the audit log. Requires the right to read the log. */
function HistoryList({ of }: { of: HistoryOf }) {
  const pages = useEntryPages({ filter: toHistoryFilter(of), first: 10 })
  const none = <Text c="dimmed">Nothing is recorded yet.</Text>
  return (
    <PagedList pages={pages} skeleton={<Skeleton height={72} />} none={none}>
      {(entries) => <EntryList entries={entries} search={toHistorySearch(of)} />}
    </PagedList>
  )
}
