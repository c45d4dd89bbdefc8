import { MemberNamesDocument } from '../../generated/audit.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import type { Names } from './describe-entry.ts'

const none: Names = new Map()

function useMembers() {
  return useOrganizationQuery(MemberNamesDocument, {}, { enabled: useMay('members:read') })
}

/** Whether the names have been read, so that an id without a name is known to have none. */
export function useHasMemberNames(): boolean {
  const { isPending, isEnabled } = useMembers()
  return !isPending || !isEnabled
}

/** The names of the first hundred members, by member id and by the id of their service account. */
export function useMemberNames(): Names {
  const members = useMembers().data?.members.nodes
  if (!members) return none
  return new Map(
    members.flatMap(({ memberId, serviceAccountId, displayName }) => [
      [memberId, displayName] as const,
      ...(serviceAccountId === null ? [] : [[serviceAccountId, displayName] as const]),
    ]),
  )
}
