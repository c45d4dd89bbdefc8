import { Drawer, Skeleton } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { AuditEventDocument } from '../../generated/audit.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { EntryDetails } from './entry-details.tsx'

const route = getRouteApi('/o/$organizationId/audit-log')

/** The entry that the address names. */
export function EntryDrawer() {
  const { entry: id } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useOrganizationQuery(
    AuditEventDocument,
    { id: id ?? '' },
    { enabled: id !== undefined, keepPrevious: true },
  )
  return (
    <Drawer
      opened={id !== undefined}
      onClose={() => void navigate({ search: (old) => ({ ...old, entry: undefined }) })}
      title="Audit entry"
      size="xl"
    >
      <Loaded query={query} skeleton={<Skeleton height={240} />}>
        {({ auditEvent }) => <EntryDetails entry={auditEvent} />}
      </Loaded>
    </Drawer>
  )
}
