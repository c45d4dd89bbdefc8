import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { useSlow } from '../../components/feedback/use-slow.ts'
import { useSignOut } from '../../frame/use-sign-out.ts'
import { JoinOrganizationDocument } from '../../generated/join.ts'
import { usePersonWrite } from '../../session/queries.ts'

export function JoinButton({ invite, name }: { invite: string; name: string }) {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const write = usePersonWrite()
  const join = useMutation({
    mutationFn: () => write(JoinOrganizationDocument, { input: { invite } }),
    // In place of the link: going back must not use the invite again.
    onSuccess: ({ joinOrganization: { organizationId } }) =>
      navigate({ to: '/o/$organizationId', params: { organizationId }, replace: true }),
  })
  const isSlow = useSlow(join.isPending)

  return (
    <Stack>
      <Text>You are signed in as {name}.</Text>
      {join.error && <ErrorPanel error={join.error} />}
      <Button loading={isSlow} onClick={() => join.mutate()}>
        Join
      </Button>
      <Button variant="subtle" onClick={() => void signOut()}>
        I am somebody else
      </Button>
    </Stack>
  )
}
