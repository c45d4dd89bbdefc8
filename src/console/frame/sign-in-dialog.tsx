import { Modal, Stack, Text } from '@mantine/core'
import { queryClient } from '../api/query-client.ts'
import { PersonDocument } from '../generated/session.ts'
import type { SignInRequest } from '../session/ended-session.ts'
import { readOptions } from '../session/queries.ts'
import { SignInForm } from './sign-in-forms.tsx'
import { SignInWays } from './sign-in-ways.tsx'

/** The session may have ended while another dialog was open. */
const zIndexAboveDialogs = 400

/** Opens over the page when a session has ended. The page keeps everything that was typed. */
export function SignInDialog({ question }: { question: SignInRequest | null }) {
  const email = queryClient.getQueryData(readOptions(null, PersonDocument, {}).queryKey)?.user.email
  return (
    <Modal
      opened={question !== null}
      onClose={() => question?.answer(false)}
      title="Sign in again"
      zIndex={zIndexAboveDialogs}
    >
      <Stack>
        <Text c="dimmed">Your session has ended. Sign in to continue where you were.</Text>
        <SignInWays next={`${location.pathname}${location.search}${location.hash}`}>
          <SignInForm fixedEmail={email ?? undefined} onDone={() => question?.answer(true)} />
        </SignInWays>
      </Stack>
    </Modal>
  )
}
