import { queryClient } from '../../api/query-client.ts'
import type { Answer } from '../../api/typed-document.ts'
import {
  LastActionOfMemberDocument,
  LastChangesOfObjectDocument,
  MemberNamesDocument,
  type MemberNamesQuery,
} from '../../generated/audit.ts'
import { readOptions, useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { type AuditEntry, describeEntry, type Names } from './describe-entry.ts'
import { findName } from './details.ts'
import type { NamedObject } from './sentence.ts'

type FormerName = { name: string | null; isPending: boolean }

/** The name of a member, service account or key, even of one that was removed; null if no entry of the audit log has it. */
export function useFormerNameQuery(what: NamedObject | null): FormerName {
  const { type, id } = what ?? { type: 'MEMBER', id: '' }
  const name = useMemberNames().get(id)
  const hasMemberNames = useHasMemberNames()
  const isUnnamed = hasMemberNames && what !== null && name === undefined
  const maySearch = useMay('org:audit:read') && isUnnamed
  const isMember = type === 'MEMBER'
  // The entries of a removed member's actions keep the name that the member had.
  const action = useOrganizationQuery(LastActionOfMemberDocument, { memberId: id }, { enabled: maySearch && isMember })
  // Newest first: the removal, and before it the last change of the name or the creation.
  const changes = useOrganizationQuery(
    LastChangesOfObjectDocument,
    { object: { type, id } },
    { enabled: maySearch && !isMember },
  )
  if (what === null) return { name: null, isPending: false }
  if (name !== undefined) return { name, isPending: false }
  const isPending = !hasMemberNames || action.isLoading || changes.isLoading
  if (isMember) return { name: action.data?.auditEvents.nodes[0]?.actor.member?.displayName ?? null, isPending }
  return { name: findName(changes.data?.auditEvents.nodes ?? []), isPending }
}

/** Like `useFormerNameQuery`, but returns only the name, which is also null while it is loading. */
export function useFormerName(what: NamedObject | null): string | null {
  return useFormerNameQuery(what).name
}

const noNames: Names = new Map()

function useMembers() {
  return useOrganizationQuery(MemberNamesDocument, {}, { enabled: useMay('members:read') })
}

/** Whether the names of members have been loaded, or the person may not read them: no more names will arrive. */
function useHasMemberNames(): boolean {
  const { isPending, isEnabled } = useMembers()
  return !isPending || !isEnabled
}

/** The names of the first hundred members, by member id and by the id of their service account. */
export function useMemberNames(): Names {
  const { data } = useMembers()
  return data ? toNames(data) : noNames
}

function toNames({ members }: Answer<MemberNamesQuery>): Names {
  return new Map(
    members.nodes.flatMap(({ memberId, serviceAccountId, displayName }) => [
      [memberId, displayName] as const,
      ...(serviceAccountId === null ? [] : [[serviceAccountId, displayName] as const]),
    ]),
  )
}

/** Reads all names in the sentences of the entries. A name that cannot be read is shown as its id. */
export async function readNames(organizationId: string, entries: readonly AuditEntry[]): Promise<void> {
  const members = readOptions(organizationId, MemberNamesDocument, {})
  try {
    const known = await queryClient.ensureQueryData(members)
    if (findUnnamed(entries, toNames(known)).length === 0) return
    const names = toNames(await queryClient.fetchQuery(members))
    await Promise.allSettled(findUnnamed(entries, names).map((what) => readFormerName(organizationId, what)))
  } catch {}
}

function findUnnamed(entries: readonly AuditEntry[], names: Names): NamedObject[] {
  const parts = entries.flatMap((entry) => describeEntry(entry, names))
  return parts.flatMap((part) => (typeof part === 'object' && 'unnamed' in part ? [part.unnamed] : []))
}

function readFormerName(organizationId: string, { type, id }: NamedObject): Promise<unknown> {
  return type === 'MEMBER'
    ? queryClient.ensureQueryData(readOptions(organizationId, LastActionOfMemberDocument, { memberId: id }))
    : queryClient.ensureQueryData(readOptions(organizationId, LastChangesOfObjectDocument, { object: { type, id } }))
}
