import { LastActionOfMemberDocument, LastChangesOfObjectDocument } from '../../generated/audit.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { findName } from './details.ts'
import type { Nameable } from './sentence.ts'
import { useHasMemberNames, useMemberNames } from './use-member-names.ts'

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
  // A removed member keeps the name that they had with everything they did.
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
