import { queryClient } from '../../api/query-client.ts'
import type { AuditEntry } from '../../components/audit/describe-entry.ts'
import { type HistoryOf, toHistoryFilter } from '../../components/audit/history-of.ts'
import { findTarget } from '../../components/audit/object-target.ts'
import { useNameLoader } from '../../components/audit/use-entries.ts'
import { AuditEventDocument, AuditEventsDocument } from '../../generated/audit.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { readOptions, useOrganizationQuery } from '../../session/queries.ts'

/** Loads an entry and the data that its details show first. Until they are loaded, the previous entry is returned. */
export function useEntry(id: string | undefined) {
  const organizationId = useOrganizationId()
  const readNames = useNameLoader()
  const readNeighbours = async (entry: AuditEntry) => {
    const found = findTarget(entry)
    if (!found) return
    const { earlier, later } = toNeighbourVariables(entry, found.of)
    const read = (variables: typeof earlier | typeof later) =>
      queryClient.ensureQueryData(readOptions(organizationId, AuditEventsDocument, variables))
    await Promise.allSettled([read(earlier), read(later)])
  }
  return useOrganizationQuery(
    AuditEventDocument,
    { id: id ?? '' },
    {
      enabled: id !== undefined,
      keepPrevious: true,
      complete: ({ auditEvent }) => Promise.all([readNames([auditEvent]), readNeighbours(auditEvent)]),
    },
  )
}

/** The largest page of the log. */
const maxPageSize = 100

/** The variables of two queries: for the entry of the same object before this one, and for the entries after it. */
export function toNeighbourVariables(entry: AuditEntry, of: HistoryOf) {
  const filter = toHistoryFilter(of)
  return {
    earlier: { filter, first: 1, after: entry.id },
    later: { filter: { ...filter, occurredAfter: entry.occurredAt }, first: maxPageSize },
  }
}
