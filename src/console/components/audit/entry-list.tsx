import { Link } from '@tanstack/react-router'
import { useOrganizationId } from '../../session/organization-id.ts'
import { Moment } from '../text/moment.tsx'
import classes from './audit.module.css'
import type { AuditEntry } from './describe-entry.ts'
import { EntryLine } from './entry-line.tsx'
import type { HistorySearch } from './history-of.ts'

type Props = {
  entries: readonly AuditEntry[]
  /** The audit log's filter when an entry is opened there. */
  search?: HistorySearch
}

/** Entries as sentences with their times; each opens in the audit log. */
export function EntryList({ entries, search }: Props) {
  const organizationId = useOrganizationId()
  return (
    <ol className={classes.history}>
      {entries.map((entry) => (
        <li key={entry.id} className={classes.entry}>
          <Link
            to="/o/$organizationId/audit-log"
            params={{ organizationId }}
            search={{ ...search, entry: entry.id }}
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
  )
}
