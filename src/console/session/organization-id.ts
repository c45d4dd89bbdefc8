import { useParams } from '@tanstack/react-router'

/** The organization that the page's address names. */
export function useOrganizationId(): string {
  const { organizationId } = useParams({ strict: false })
  if (organizationId === undefined) throw new Error('This page belongs to no organization.')
  return organizationId
}
