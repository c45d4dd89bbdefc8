import { Text } from '@mantine/core'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { queryClient } from '../../api/query-client.ts'
import { PlainFrame } from '../../frame/plain-frame.tsx'
import { SignInForm } from '../../frame/sign-in-form.tsx'
import { localPath } from '../../session/guards.ts'
import { useSignUpOpen } from '../../session/sign-up-open.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { next } = route.useSearch()
  const router = useRouter()
  const isSignUpOpen = useSignUpOpen()

  function goOn(): void {
    queryClient.clear()
    router.history.push(localPath(next))
  }

  return (
    <PlainFrame title="Sign in">
      <SignInForm onDone={goOn} />
      {/* In its place from the start, so that nothing moves once the answer is there. */}
      <Text mt="lg" c="dimmed" mih="1.5rem">
        {isSignUpOpen && (
          <>
            No account yet?{' '}
            <Link to="/sign-up" search={{ next }}>
              Sign up
            </Link>
          </>
        )}
        {isSignUpOpen === false && 'No account yet? Ask an admin of your organization for an invite.'}
      </Text>
    </PlainFrame>
  )
}
