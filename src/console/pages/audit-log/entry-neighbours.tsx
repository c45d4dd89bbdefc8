import { Group } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { AuditEntry } from '../../components/audit/describe-entry.ts'
import type { HistoryOf } from '../../components/audit/history-of.ts'
import { formatLocal } from '../../components/text/format-time.ts'
import { AuditEventsDocument } from '../../generated/audit.ts'
import { useOrganizationQuery } from '../../session/queries.ts'

import { toNeighbourVariables } from './use-entry.ts'

const route = getRouteApi('/o/$organizationId/audit-log')

/** Links to the entries of the same object before and after this one. */
export function EntryNeighbours({ entry, of }: { entry: AuditEntry; of: HistoryOf }) {
  const variables = toNeighbourVariables(entry, of)
  const earlier = useOrganizationQuery(AuditEventsDocument, variables.earlier)
  const later = useOrganizationQuery(AuditEventsDocument, variables.later)
  const before = earlier.data?.auditEvents.nodes[0]
  const after = findNextEntry(entry, later.data?.auditEvents)
  if (!before && !after) return null
  return (
    <Group justify="space-between" component="nav" aria-label="Entries of the same object">
      {before ? <Neighbour entry={before}>Earlier</Neighbour> : <span />}
      {after && <Neighbour entry={after}>Later</Neighbour>}
    </Group>
  )
}

/**
 * Finds the entry after this one. The page is newest first, so that entry is the last newer one on the page. If there are more
 * pages, it is unknown.
 */
function findNextEntry(
  { id }: AuditEntry,
  page: { nodes: AuditEntry[]; pageInfo: { hasNextPage: boolean } } | undefined,
): AuditEntry | undefined {
  if (!page || page.pageInfo.hasNextPage) return undefined
  return page.nodes.filter((each) => each.id > id).at(-1)
}

function Neighbour({ entry, children }: { entry: AuditEntry; children: string }) {
  const { organizationId } = route.useParams()
  const search = route.useSearch()
  return (
    <Link to="/o/$organizationId/audit-log" params={{ organizationId }} search={{ ...search, entry: entry.id }}>
      {children}: {formatLocal(new Date(entry.occurredAt))}
    </Link>
  )
}
