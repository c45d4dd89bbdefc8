import { Link } from '@tanstack/react-router'
import { useOrganizationId } from '../../session/organization-id.ts'
import { useMay } from '../../session/viewer.ts'
import { type HistoryOf, toHistorySearch } from './history-of.ts'

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
