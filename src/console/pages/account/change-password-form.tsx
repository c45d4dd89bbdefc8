import { PasswordInput } from '@mantine/core'
import { execute } from '../../api/execute.ts'
import { toastDone } from '../../components/feedback/toast.tsx'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import { ChangePasswordDocument } from '../../generated/account.ts'
import { SignInDocument } from '../../generated/session.ts'
import { refresh } from '../../session/queries.ts'

const personally = { organizationId: null }

export function ChangePasswordForm({ email }: { email: string }) {
  const state = useServerForm({
    initialValues: { currentPassword: '', newPassword: '' },
    async submit(input) {
      await execute(ChangePasswordDocument, { input }, personally)
      // The change ended this browser's sign-in too.
      await execute(SignInDocument, { input: { email, password: input.newPassword } }, personally)
      state.form.reset()
      toastDone('Your password is changed.')
      await refresh(null)
    },
  })
  return (
    <ServerForm state={state} action="Change password">
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        {...state.form.getInputProps('currentPassword')}
      />
      <PasswordInput label="New password" autoComplete="new-password" {...state.form.getInputProps('newPassword')} />
    </ServerForm>
  )
}
