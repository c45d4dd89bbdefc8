import { Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { PlainFrame } from '../../frame/plain-frame.tsx'
import { SignInForm, useGoOn } from '../../frame/sign-in-forms.tsx'
import { useSignUpOpen } from '../../session/sign-up-open.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { next } = route.useSearch()
  const isSignUpOpen = useSignUpOpen()
  const goOn = useGoOn(next)

  return (
    <PlainFrame title="Sign in">
      <SignInForm onDone={goOn} />
      {/* Takes its place from the start, so that nothing moves once the answer is there. */}
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
