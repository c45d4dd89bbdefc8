import { useState } from 'react'
import { type InviteRowFragment, InvitesDocument } from '../../../generated/team.ts'
import { useOrganizationPages } from '../../../session/queries.ts'

type Invite = InviteRowFragment

export type InviteList = ReturnType<typeof useInvites>

/**
 * The invites, read when the person asks for them: each view of their links is recorded. Invites created or revoked on this
 * page are added and removed here, without another read.
 */
export function useInvites() {
  const { nodes, query, ...more } = useOrganizationPages(InvitesDocument, {}, ({ invites }) => invites, {
    enabled: false,
    // Not cached: the invites may change while another page is shown.
    gcTime: 0,
  })
  const [made, setMade] = useState<readonly Invite[]>([])
  const [revoked, setRevoked] = useState<readonly string[]>([])
  const known = new Set(nodes.map(({ inviteId }) => inviteId))
  const all = [...nodes, ...made.filter(({ inviteId }) => !known.has(inviteId))]
  return {
    invites: all.filter(({ inviteId }) => !revoked.includes(inviteId)),
    isShown: !query.isPending,
    error: query.error,
    show: () => query.refetch(),
    more,
    add: (invite: Invite) => setMade((old) => [...old, invite]),
    remove: (inviteId: string) => setRevoked((old) => [...old, inviteId]),
  }
}
