import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { isServerError } from '../../api/errors.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { PlainFrame } from '../../frame/plain-frame.tsx'
import { findPerson } from '../../session/guards.ts'
import { findInviteToken } from '../../session/invite-token.ts'
import { DeadInvite, IncompleteLink } from './dead-link.tsx'
import { InvitationSummary } from './invitation-summary.tsx'
import { JoinButton } from './join-button.tsx'
import { NewcomerForms } from './newcomer-forms.tsx'
import { useInvitation } from './use-invitation.ts'

/**
 * Opened by an invite's link. Its token stands behind the #, which browsers send to nobody; it goes into the requests that
 * read the invite and join, and nowhere else.
 */
export function JoinPage() {
  const { hash } = useLocation()
  const invite = findInviteToken(hash)
  const invitation = useInvitation(invite)
  const who = useQuery({ queryKey: ['person', 'who'], queryFn: async () => ({ person: await findPerson() }) })

  if (invite === null) return <IncompleteLink />
  if (isServerError(invitation.error) && [404, 422].includes(invitation.error.status)) return <DeadInvite />
  const organization = invitation.data?.invitation.organizationName
  return (
    <PlainFrame title={organization === undefined ? 'You are invited' : `Join ${shortenMiddle(organization, 80)}`}>
      <Loaded query={invitation} skeleton={<TableSkeleton rows={4} />}>
        {({ invitation: { role, expiresAt } }) => (
          <>
            <InvitationSummary role={role} expiresAt={expiresAt} />
            <Loaded query={who} skeleton={null}>
              {({ person }) =>
                person ? (
                  <JoinButton invite={invite} name={person.displayName} />
                ) : (
                  <NewcomerForms invite={invite} onDone={() => who.refetch()} />
                )
              }
            </Loaded>
          </>
        )}
      </Loaded>
    </PlainFrame>
  )
}
