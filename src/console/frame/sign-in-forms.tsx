import { TextInput } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { execute } from '../api/execute.ts'
import { queryClient } from '../api/query-client.ts'
import { PasswordField } from '../components/form/password-field.tsx'
import { ServerForm } from '../components/form/server-form.tsx'
import { useServerForm } from '../components/form/use-server-form.ts'
import { SignInDocument, SignUpDocument } from '../generated/session.ts'
import { localPath } from '../session/guards.ts'

type Props = {
  /** The address of the person whose session has ended; it cannot be edited. */
  fixedEmail?: string | undefined
  onDone(): unknown
}

export function SignInForm({ fixedEmail, onDone }: Props) {
  const state = useServerForm({
    initialValues: { email: fixedEmail ?? '', password: '' },
    async submit(input) {
      await execute(SignInDocument, { input }, { organizationId: null })
      await onDone()
    },
  })
  return (
    <ServerForm state={state} action="Sign in" fullWidth>
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        readOnly={fixedEmail !== undefined}
        autoFocus={fixedEmail === undefined}
        {...state.form.getInputProps('email')}
      />
      <PasswordField label="Password" autoComplete="current-password" {...state.form.getInputProps('password')} />
    </ServerForm>
  )
}

type SignUpFormProps = {
  /** The token of the person's invite: it allows sign-up on servers that require an invitation. */
  invite?: string | undefined
  onDone(): unknown
}

export function SignUpForm({ invite, onDone }: SignUpFormProps) {
  const state = useServerForm({
    initialValues: { displayName: '', email: '', password: '' },
    async submit(input) {
      await execute(SignUpDocument, { input: { ...input, invite } }, { organizationId: null })
      await onDone()
    },
  })
  return (
    <ServerForm state={state} action="Sign up" fullWidth>
      <TextInput
        label="Your name"
        description="As colleagues see it"
        autoComplete="name"
        {...state.form.getInputProps('displayName')}
      />
      <TextInput label="E-mail" type="email" autoComplete="username" {...state.form.getInputProps('email')} />
      <PasswordField
        label="Password"
        description="8 characters or more"
        autoComplete="new-password"
        {...state.form.getInputProps('password')}
      />
    </ServerForm>
  )
}

/** Returns a function to call after signing in or up: it forgets earlier reads, and opens the requested page. */
export function useContinueAfterSignIn(next: string | undefined): () => void {
  const router = useRouter()
  return () => {
    queryClient.clear()
    router.history.push(localPath(next))
  }
}
