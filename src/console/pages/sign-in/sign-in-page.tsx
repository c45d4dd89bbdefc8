import { Text } from '@mantine/core'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { queryClient } from '../../api/query-client.ts'
import { localPath } from '../../frame/guards.ts'
import { PlainFrame } from '../../frame/plain-frame.tsx'
import { SignInForm } from './sign-in-form.tsx'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { next } = route.useSearch()
  const router = useRouter()

  function goOn(): void {
    queryClient.clear()
    router.history.push(localPath(next))
  }

  return (
    <PlainFrame title="Sign in">
      <SignInForm onDone={goOn} />
      <Text mt="lg" c="dimmed">
        No account yet?{' '}
        <Link to="/sign-up" search={{ next }}>
          Sign up
        </Link>
      </Text>
    </PlainFrame>
  )
}
