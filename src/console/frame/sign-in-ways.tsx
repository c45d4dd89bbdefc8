import { Button, Divider, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { localPath } from '../session/guards.ts'
import { useService } from '../session/service.ts'

type Props = {
  /** The page to return to. */
  next: string | undefined
  /** Called before the browser leaves for the identity provider. */
  onLeave?: (() => void) | undefined
  /** The form for people with a password. */
  children: ReactNode
}

/** Shows how people can sign in on this server: at its identity provider, with a password, or both. */
export function SignInWays({ next, onLeave, children }: Props) {
  // Until the answer arrives, the password form is shown. It keeps its position in the tree, so typed text stays.
  const { oidc, localSignIn } = useService() ?? { oidc: null, localSignIn: true }
  return (
    <Stack>
      {oidc && (
        <Button
          component="a"
          href={`/auth/oidc/start?to=${encodeURIComponent(localPath(next))}`}
          variant={localSignIn ? 'default' : 'filled'}
          fullWidth
          onClick={onLeave}
        >
          {oidc.name}
        </Button>
      )}
      {oidc && localSignIn && <Divider label="or with a password" />}
      {localSignIn && children}
    </Stack>
  )
}
