import { Link } from '@tanstack/react-router'
import { useOrganizationId } from '../../session/organization-id.ts'
import { Moment } from '../text/moment.tsx'
import classes from './audit.module.css'
import type { AuditEntry } from './describe-entry.ts'
import { EntryLine } from './entry-line.tsx'
import { foldImports, toPartsSearch } from './fold-imports.ts'
import type { HistorySearch } from './history-of.ts'

type Props = {
  entries: readonly AuditEntry[]
  /** The filter that the audit log has when an entry is opened there. */
  search?: HistorySearch
  /** The maximum number of entries to show. */
  maxEntries?: number
}

/**
 * Lists entries as sentences with their times. Each links to its entry in the audit log. An import that was sent in parts is
 * listed once.
 */
export function EntryList({ entries, search, maxEntries }: Props) {
  const organizationId = useOrganizationId()
  return (
    <ol className={classes.history}>
      {foldImports(entries)
        .slice(0, maxEntries)
        .map(({ entry, parts }) => (
          <li key={entry.id} className={classes.entry}>
            <Link
              to="/o/$organizationId/audit-log"
              params={{ organizationId }}
              search={{ ...search, entry: entry.id, ...toPartsSearch(parts) }}
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
