import { Text } from '@mantine/core'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { queryClient } from '../../api/query-client.ts'
import { localPath } from '../../frame/guards.ts'
import { PlainFrame } from '../../frame/plain-frame.tsx'
import { SignUpForm } from './sign-up-form.tsx'

const route = getRouteApi('/sign-up')

export function SignUpPage() {
  const { next } = route.useSearch()
  const router = useRouter()

  function goOn(): void {
    queryClient.clear()
    router.history.push(localPath(next))
  }

  return (
    <PlainFrame title="Sign up" description="An account is yours; organizations are created or joined next.">
      <SignUpForm onDone={goOn} />
      <Text mt="lg" c="dimmed">
        You have an account?{' '}
        <Link to="/sign-in" search={{ next }}>
          Sign in
        </Link>
      </Text>
    </PlainFrame>
  )
}
