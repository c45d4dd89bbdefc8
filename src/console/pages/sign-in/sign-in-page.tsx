import { Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { PlainFrame } from '../../frame/plain-frame.tsx'
import { SignInForm, useContinueAfterSignIn } from '../../frame/sign-in-forms.tsx'
import { SignInWays } from '../../frame/sign-in-ways.tsx'
import { useService } from '../../session/service.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { next } = route.useSearch()
  const service = useService()
  const signUp = service?.localSignIn ? service.signUp : undefined
  const continueAfterSignIn = useContinueAfterSignIn(next)

  return (
    <PlainFrame title="Sign in">
      <SignInWays next={next}>
        <SignInForm onDone={continueAfterSignIn} />
      </SignInWays>
      {/* The line's space is reserved from the start, so that nothing moves when the server's answer arrives. */}
      <Text mt="lg" c="dimmed" mih="1.5rem">
        {signUp === 'OPEN' && (
          <>
            No account yet?{' '}
            <Link to="/sign-up" search={{ next }}>
              Sign up
            </Link>
          </>
        )}
        {signUp === 'INVITED' && 'No account yet? Ask an admin of your organization for an invite.'}
      </Text>
    </PlainFrame>
  )
}
