import { Skeleton, Text } from '@mantine/core'
import { AuditEventsDocument } from '../../generated/audit.ts'
import { useOrganizationPages } from '../../session/queries.ts'
import { ErrorPanel } from '../feedback/error-panel.tsx'
import { LoadMore } from '../table/load-more.tsx'
import { type EntryAction, EntryList } from './entry-list.tsx'
import { type HistoryOf, toHistoryFilter, toHistorySearch } from './history-of.ts'

export type HistoryProps = { of: HistoryOf; action?: EntryAction }

/** The changes of an object as sentences, newest first; each opens in the audit log. For readers of the log. */
export function HistoryList({ of, action }: HistoryProps) {
  const { nodes, query, ...more } = useOrganizationPages(
    AuditEventsDocument,
    { filter: toHistoryFilter(of), first: 10 },
    ({ auditEvents }) => auditEvents,
  )
  if (query.error) return <ErrorPanel error={query.error} retry={() => void query.refetch()} />
  if (query.isPending) return <Skeleton height={72} />
  if (nodes.length === 0) return <Text c="dimmed">Nothing is recorded yet.</Text>
  return (
    <>
      <EntryList entries={nodes} search={toHistorySearch(of)} {...(action && { action })} />
      <LoadMore {...more} />
    </>
  )
}
