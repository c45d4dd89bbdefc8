import { Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { PlainFrame } from '../../frame/plain-frame.tsx'
import { SignUpForm, useGoOn } from '../../frame/sign-in-forms.tsx'
import { useSignUpOpen } from '../../session/sign-up-open.ts'

const route = getRouteApi('/sign-up')

export function SignUpPage() {
  const { next } = route.useSearch()
  const isSignUpOpen = useSignUpOpen()
  const goOn = useGoOn(next)

  if (isSignUpOpen === false) return <ByInviteOnly next={next} />
  return (
    <PlainFrame title="Sign up" description="Your account is personal. Next, you create or join an organization.">
      <SignUpForm onDone={goOn} />
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
