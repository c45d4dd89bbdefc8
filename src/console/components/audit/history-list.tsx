import { Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useOrganizationPages } from '../../api/queries.ts'
import { useOrganizationId } from '../../frame/use-organization-id.ts'
import { AuditEventsDocument } from '../../generated/audit.ts'
import { ErrorPanel } from '../feedback/error-panel.tsx'
import { LoadMore } from '../table/load-more.tsx'
import { Moment } from '../text/moment.tsx'
import classes from './audit.module.css'
import { EntryLine } from './entry-line.tsx'
import { type HistoryOf, toHistoryFilter, toHistorySearch } from './history-of.ts'

/** The changes of an object as sentences, newest first; each opens in the audit log. For readers of the log. */
export function HistoryList({ of }: { of: HistoryOf }) {
  const organizationId = useOrganizationId()
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
      <ol className={classes.history}>
        {nodes.map((entry) => (
          <li key={entry.id} className={classes.entry}>
            <Link
              to="/o/$organizationId/audit-log"
              params={{ organizationId }}
              search={{ ...toHistorySearch(of), entry: entry.id }}
              className={classes.open}
              preload={false}
            >
              <EntryLine entry={entry} />
            </Link>
            <span className={classes.when}>
              <Moment at={entry.occurredAt} />
            </span>
          </li>
        ))}
      </ol>
      <LoadMore {...more} />
    </>
  )
}
