import { PasswordInput, TextInput } from '@mantine/core'
import { execute } from '../api/execute.ts'
import { ServerForm } from '../components/form/server-form.tsx'
import { useServerForm } from '../components/form/use-server-form.ts'
import { SignUpDocument } from '../generated/session.ts'

type Props = {
  /** The token of the invite that the person came with: where sign-up is by invitation, it lets them in. */
  invite?: string | undefined
  onDone(): unknown
}

export function SignUpForm({ invite, onDone }: Props) {
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
      <PasswordInput
        label="Password"
        description="8 characters or more"
        autoComplete="new-password"
        {...state.form.getInputProps('password')}
      />
    </ServerForm>
  )
}
