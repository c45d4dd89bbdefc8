import { PasswordInput, TextInput } from '@mantine/core'
import { execute } from '../api/execute.ts'
import { ServerForm } from '../components/form/server-form.tsx'
import { useServerForm } from '../components/form/use-server-form.ts'
import { SignInDocument } from '../generated/session.ts'

type Props = {
  /** Whose session is opened again. */
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
        {...state.form.getInputProps('email')}
      />
      <PasswordInput label="Password" autoComplete="current-password" {...state.form.getInputProps('password')} />
    </ServerForm>
  )
}
