import { useSyncExternalStore } from 'react'

/* The organizations in which the server refused to open a session: the person is no longer a member, or never was. */

const lostOrganizationIds = new Set<string>()
const listeners = new Set<() => void>()

export function setMembership(organizationId: string, isMember: boolean): void {
  if (lostOrganizationIds.has(organizationId) !== isMember) return
  if (isMember) lostOrganizationIds.delete(organizationId)
  else lostOrganizationIds.add(organizationId)
  for (const listener of listeners) listener()
}

/** Whether the server said that the person is not a member of this organization. */
export function useLostMembership(organizationId: string | undefined): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => organizationId !== undefined && lostOrganizationIds.has(organizationId),
  )
}
