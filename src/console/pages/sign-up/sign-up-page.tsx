import { Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { PlainFrame } from '../../frame/plain-frame.tsx'
import { SignUpForm, useContinueAfterSignIn } from '../../frame/sign-in-forms.tsx'
import { SignInWays } from '../../frame/sign-in-ways.tsx'
import { useService } from '../../session/service.ts'

const route = getRouteApi('/sign-up')

export function SignUpPage() {
  const { next } = route.useSearch()
  const service = useService()
  const continueAfterSignIn = useContinueAfterSignIn(next)

  if (service?.localSignIn === false) {
    return (
      <PlainFrame title="Sign in" description="Your account is that of your company. There is nothing to sign up for.">
        <SignInWays next={next}>{null}</SignInWays>
      </PlainFrame>
    )
  }
  if (service?.signUp === 'INVITED') return <ByInviteOnly next={next} />
  return (
    <PlainFrame title="Sign up" description="Your account is personal. Next, you create or join an organization.">
      <SignInWays next={next}>
        <SignUpForm onDone={continueAfterSignIn} />
      </SignInWays>
      <Text mt="lg" c="dimmed">
        Already have an account?{' '}
        <Link to="/sign-in" search={{ next }}>
          Sign in
        </Link>
      </Text>
    </PlainFrame>
  )
}

function ByInviteOnly({ next }: { next: string | undefined }) {
  return (
    <PlainFrame
      title="Sign-up is by invitation only"
      description="Ask an admin of your organization for an invite link. Open it to sign up and join."
    >
      <Link to="/sign-in" search={{ next }}>
        Sign in
      </Link>
    </PlainFrame>
  )
}
