import { Link, type LinkProps } from '@tanstack/react-router'
import type { AuditTarget } from '../../components/audit/object-target.ts'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { useOrganizationId } from '../../session/organization-id.ts'

/** To the page of what the request was about, which may be gone by now. */
export function TargetLink({ target: { text, page } }: { target: AuditTarget }) {
  const organizationId = useOrganizationId()
  const shown = shortenMiddle(text, 60)
  if (!page) return shown
  // The router types each route's params apart; a target may be on any route.
  const to = { to: `/o/$organizationId/${page.to}`, params: { organizationId, ...page.params } } as LinkProps
  return <Link {...to}>{shown}</Link>
}
