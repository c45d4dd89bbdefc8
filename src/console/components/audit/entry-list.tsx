import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useOrganizationId } from '../../session/organization-id.ts'
import { Moment } from '../text/moment.tsx'
import classes from './audit.module.css'
import type { AuditEntry } from './describe-entry.ts'
import { EntryLine } from './entry-line.tsx'
import type { HistorySearch } from './history-of.ts'

/** Extra actions of an entry; `newer` are the entries after it in time. */
export type EntryAction = (entry: AuditEntry, newer: readonly AuditEntry[]) => ReactNode

type Props = {
  entries: readonly AuditEntry[]
  /** The audit log's filter when an entry is opened there. */
  search?: HistorySearch
  action?: EntryAction
}

/** Entries as sentences with their times; each opens in the audit log. */
export function EntryList({ entries, search, action }: Props) {
  const organizationId = useOrganizationId()
  return (
    <ol className={classes.history}>
      {entries.map((entry, index) => (
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
          {action && <span className={classes.action}>{action(entry, entries.slice(0, index))}</span>}
          <span className={classes.when}>
            <Moment at={entry.occurredAt} />
          </span>
        </li>
      ))}
    </ol>
  )
}
