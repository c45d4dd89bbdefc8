import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { findPerson } from '../../frame/guards.ts'
import { PlainFrame } from '../../frame/plain-frame.tsx'
import { findInviteToken } from './invite-token.ts'
import { JoinButton } from './join-button.tsx'
import { NewcomerForms } from './newcomer-forms.tsx'

/**
 * Opened by an invite's link. Its token stands behind the #, which browsers send to nobody; it goes into the request that
 * joins and nowhere else.
 */
export function JoinPage() {
  const { hash } = useLocation()
  const invite = findInviteToken(hash)
  const query = useQuery({ queryKey: ['person', 'who'], queryFn: async () => ({ person: await findPerson() }) })

  if (invite === null) {
    return (
      <PlainFrame
        title="This link has no invite"
        description="An invite’s link ends with # and a token that begins with inv_. Ask for the whole link, and open it again."
      >
        {null}
      </PlainFrame>
    )
  }
  return (
    <PlainFrame
      title="You are invited to an organization"
      description="Keep the link to yourself: whoever has it may join, once."
    >
      <Loaded query={query} skeleton={null}>
        {({ person }) =>
          person ? (
            <JoinButton invite={invite} name={person.displayName} />
          ) : (
            <NewcomerForms invite={invite} onDone={() => query.refetch()} />
          )
        }
      </Loaded>
    </PlainFrame>
  )
}
