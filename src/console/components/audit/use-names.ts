import { LastActionOfMemberDocument, LastChangesOfObjectDocument, MemberNamesDocument } from '../../generated/audit.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import type { Names } from './describe-entry.ts'
import { findName } from './details.ts'
import type { Nameable } from './sentence.ts'

/**
 * The name of a member, service account or key, even of one that was removed. Null for null, while the name is looked up, and
 * if no entry of the audit log has it.
 */
export function useFormerName(what: Nameable | null): string | null {
  const { type, id } = what ?? { type: 'MEMBER', id: '' }
  const name = useMemberNames().get(id)
  const isUnnamed = useHasMemberNames() && what !== null && name === undefined
  const maySearch = useMay('org:audit:read') && isUnnamed
  const isMember = type === 'MEMBER'
  // Everything that a removed member did keeps the name that they had.
  const action = useOrganizationQuery(LastActionOfMemberDocument, { memberId: id }, { enabled: maySearch && isMember })
  // Newest first: the removal, and before it the last change of the name or the creation.
  const changes = useOrganizationQuery(
    LastChangesOfObjectDocument,
    { object: { type, id } },
    { enabled: maySearch && !isMember },
  )
  if (name !== undefined) return name
  if (isMember) return action.data?.auditEvents.nodes[0]?.actor.member?.displayName ?? null
  return findName(changes.data?.auditEvents.nodes ?? [])
}

const none: Names = new Map()

function useMembers() {
  return useOrganizationQuery(MemberNamesDocument, {}, { enabled: useMay('members:read') })
}

/** Whether the names have been read, so that an id without a name is known to have none. */
function useHasMemberNames(): boolean {
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
