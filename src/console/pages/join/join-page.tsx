import { Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isServerError } from '../../api/errors.ts'
import { execute } from '../../api/execute.ts'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { useIsSlow } from '../../components/feedback/use-is-slow.ts'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { describeRole, roleName } from '../../components/text/role-words.ts'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { PlainFrame } from '../../frame/plain-frame.tsx'
import { SignInForm, SignUpForm } from '../../frame/sign-in-forms.tsx'
import { SignInWays } from '../../frame/sign-in-ways.tsx'
import { useSignOut } from '../../frame/use-sign-out.ts'
import { InvitationDocument, JoinOrganizationDocument } from '../../generated/join.ts'
import type { Role } from '../../generated/session.ts'
import { findPerson } from '../../session/guards.ts'
import { dropInvite, findInviteToken, keepInvite, readInvite } from '../../session/invite-token.ts'
import { usePersonWrite } from '../../session/queries.ts'

/**
 * The target of an invite link. Its token is in the fragment (after #), which browsers never send; only the requests that
 * read the invite and join contain it.
 */
export function JoinPage() {
  const { hash } = useLocation()
  // A person who returns from the identity provider has no token in the address, because the provider must not get it.
  const invite = findInviteToken(hash) ?? readInvite()
  const invitation = useInvitation(invite)
  const personQuery = useQuery({ queryKey: ['person', 'who'], queryFn: async () => ({ person: await findPerson() }) })

  // Part of the link is missing.
  if (invite === null) {
    return (
      <InvalidInvite title="This link contains no invite">
        An invite’s link ends with # and a token that begins with inv_. Ask for the whole link, and open it again.
      </InvalidInvite>
    )
  }
  // The server does not say whether such a token was ever valid.
  if (isServerError(invitation.error) && [404, 422].includes(invitation.error.status)) {
    return (
      <InvalidInvite title="This invite no longer works">
        It was used or revoked, or has expired: an invite lasts 7 days and lets one person join. Ask the sender for a
        new one.
      </InvalidInvite>
    )
  }
  const organization = invitation.data?.invitation.organizationName
  return (
    <PlainFrame title={organization === undefined ? 'You are invited' : `Join ${shortenMiddle(organization, 80)}`}>
      <Loaded query={invitation} skeleton={<TableSkeleton rows={4} />}>
        {({ invitation: { role, expiresAt } }) => (
          <>
            <InvitationSummary role={role} expiresAt={expiresAt} />
            <Loaded query={personQuery} skeleton={null}>
              {({ person }) =>
                person ? (
                  <JoinButton invite={invite} name={person.displayName} onSignedOut={() => personQuery.refetch()} />
                ) : (
                  <NewcomerForms invite={invite} onDone={() => personQuery.refetch()} />
                )
              }
            </Loaded>
          </>
        )}
      </Loaded>
    </PlainFrame>
  )
}

function InvalidInvite({ title, children }: { title: string; children: string }) {
  return (
    <PlainFrame title={title} description={children}>
      <Link to="/">Go to the start page</Link>
    </PlainFrame>
  )
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** Shows what the person accepts by joining, before they type anything. */
function InvitationSummary({ role, expiresAt }: { role: Role; expiresAt: string }) {
  return (
    <>
      <Text>
        You join as <strong>{roleName(role)}</strong>: {lowerFirst(describeRole(role))}
      </Text>
      <Text c="dimmed" mt={4} mb="lg">
        The invite expires <Moment at={expiresAt} />. Keep the link secret: anyone who has it can join, once.
      </Text>
    </>
  )
}

/** The forms to sign up or in. They are on the invite's page, so that its token does not have to go to another page. */
function NewcomerForms({ invite, onDone }: { invite: string; onDone(): unknown }) {
  const [way, setWay] = useState('sign-up')
  return (
    <SignInWays next="/join" onLeave={() => keepInvite(invite)}>
      <Stack>
        <SegmentedControl
          fullWidth
          aria-label="Do you have an account?"
          value={way}
          onChange={setWay}
          data={[
            { value: 'sign-up', label: 'I am new here' },
            { value: 'sign-in', label: 'I have an account' },
          ]}
        />
        {way === 'sign-up' ? <SignUpForm invite={invite} onDone={onDone} /> : <SignInForm onDone={onDone} />}
      </Stack>
    </SignInWays>
  )
}

/** Reads the invite, but only once: joining makes it invalid while the page still shows it. */
function useInvitation(token: string | null) {
  return useQuery({
    queryKey: ['invitation', token],
    queryFn: () => execute(InvitationDocument, { token: token ?? '' }, { organizationId: null }),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

type JoinButtonProps = { invite: string; name: string; onSignedOut(): unknown }

function JoinButton({ invite, name, onSignedOut }: JoinButtonProps) {
  const navigate = useNavigate()
  const signOut = useSignOut({ stays: true })
  const write = usePersonWrite()
  const join = useMutation({
    mutationFn: () => write(JoinOrganizationDocument, { input: { invite } }),
    // Replaces the link in the history: going back must not use the invite again.
    onSuccess({ joinOrganization: { organizationId } }) {
      dropInvite()
      return navigate({ to: '/o/$organizationId', params: { organizationId }, replace: true })
    },
  })
  const isSlow = useIsSlow(join.isPending)

  /** Signs out, but keeps the page and the invite. */
  async function changeAccount(): Promise<void> {
    const kept = readInvite()
    await signOut()
    if (kept !== null) keepInvite(kept)
    onSignedOut()
  }

  return (
    <Stack>
      <Text>You are signed in as {name}.</Text>
      {join.error && <ErrorPanel error={join.error} />}
      <Button loading={isSlow} onClick={() => !join.isPending && join.mutate()}>
        Join
      </Button>
      <Button variant="subtle" onClick={() => void changeAccount()}>
        Use another account
      </Button>
    </Stack>
  )
}
