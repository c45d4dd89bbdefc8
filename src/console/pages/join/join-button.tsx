import { Button, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { useSlow } from '../../components/feedback/use-slow.ts'
import { useSignOut } from '../../frame/use-sign-out.ts'
import { JoinOrganizationDocument } from '../../generated/join.ts'
import { usePersonMutation } from '../../session/queries.ts'

export function JoinButton({ invite, name }: { invite: string; name: string }) {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const join = usePersonMutation(JoinOrganizationDocument)
  const isSlow = useSlow(join.isPending)

  async function joinAndOpen(): Promise<void> {
    const { joinOrganization } = await join.mutateAsync({ input: { invite } })
    const { organizationId } = joinOrganization
    // In place of the link: going back must not use the invite again.
    await navigate({ to: '/o/$organizationId', params: { organizationId }, replace: true })
  }

  return (
    <Stack>
      <Text>You are signed in as {name}.</Text>
      {join.error && <ErrorPanel error={join.error} />}
      <Button loading={isSlow} onClick={() => void joinAndOpen().catch(() => undefined)}>
        Join
      </Button>
      <Button variant="subtle" onClick={() => void signOut()}>
        I am somebody else
      </Button>
    </Stack>
  )
}
