import { useQuery } from '@tanstack/react-query'
import { execute } from '../../api/execute.ts'
import { InvitationDocument } from '../../generated/join.ts'

/** What the invite is for. Read once: joining uses the invite up, and the page still says what it was. */
export function useInvitation(token: string | null) {
  return useQuery({
    queryKey: ['invitation', token],
    queryFn: () => execute(InvitationDocument, { token: token ?? '' }, { organizationId: null }),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}
