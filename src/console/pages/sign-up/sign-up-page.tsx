import { Text } from '@mantine/core'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { queryClient } from '../../api/query-client.ts'
import { PlainFrame } from '../../frame/plain-frame.tsx'
import { SignUpForm } from '../../frame/sign-up-form.tsx'
import { localPath } from '../../session/guards.ts'
import { useSignUpOpen } from '../../session/sign-up-open.ts'

const route = getRouteApi('/sign-up')

export function SignUpPage() {
  const { next } = route.useSearch()
  const router = useRouter()
  const isSignUpOpen = useSignUpOpen()

  function goOn(): void {
    queryClient.clear()
    router.history.push(localPath(next))
  }

  if (isSignUpOpen === false) return <ByInviteOnly next={next} />
  return (
    <PlainFrame title="Sign up" description="Your account is your own. Next, you create an organization or join one.">
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
      title="Sign-up is by invite"
      description="Ask an admin of your organization for an invite, and open its link: there you sign up and join."
    >
      <Link to="/sign-in" search={{ next }}>
        Sign in
      </Link>
    </PlainFrame>
  )
}
