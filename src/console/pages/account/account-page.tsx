import { Button, Group, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { execute } from '../../api/execute.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { toastDone } from '../../components/feedback/toast.tsx'
import { PasswordField } from '../../components/form/password-field.tsx'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import { Properties } from '../../components/page/properties.tsx'
import { Section } from '../../components/page/section.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { PlainFrame } from '../../frame/plain-frame.tsx'
import { useSignOut } from '../../frame/use-sign-out.ts'
import { ChangePasswordDocument, UpdateUserDocument } from '../../generated/account.ts'
import { PersonDocument, SignInDocument } from '../../generated/session.ts'
import { refresh, usePersonQuery, usePersonWrite } from '../../session/queries.ts'
import { OwnActivity } from './own-activity.tsx'
import { Sessions } from './sessions.tsx'

export function AccountPage() {
  const query = usePersonQuery(PersonDocument, {})
  const signOut = useSignOut()
  return (
    <PlainFrame title="Account" description="Your account is the same in every organization." wide>
      <Loaded query={query} skeleton={<TableSkeleton rows={4} />}>
        {({ user }) => (
          <>
            <Properties
              items={[
                ['E-mail', user.email ?? '—'],
                ['User id', <KeyText key="id" value={user.userId} copy="user id" />],
                ['Created', <Moment key="created" at={user.createdAt} />],
              ]}
            />
            <Group mt="md" justify="space-between">
              <Link to="/organizations">Organizations</Link>
              <Button variant="default" onClick={() => void signOut()}>
                Sign out
              </Button>
            </Group>
            <Section
              title="Name"
              description="Each organization keeps the name that you had when you joined, until an admin changes it."
            >
              <RenameForm displayName={user.displayName} />
            </Section>
            {user.email !== null && (
              <Section title="Password" description="Changing it signs you out everywhere else.">
                <ChangePasswordForm email={user.email} />
              </Section>
            )}
            <Sessions />
            <Section title="Your activity" description="What you did with your account, newest first.">
              <OwnActivity />
            </Section>
          </>
        )}
      </Loaded>
    </PlainFrame>
  )
}

function RenameForm({ displayName }: { displayName: string }) {
  const write = usePersonWrite()
  const state = useServerForm({
    initialValues: { displayName },
    async submit(input) {
      await write(UpdateUserDocument, { input })
      toastDone('Your name was changed.')
    },
  })
  return (
    <ServerForm state={state} action="Save">
      <TextInput label="Your name" autoComplete="name" {...state.form.getInputProps('displayName')} />
    </ServerForm>
  )
}

const personalRequest = { organizationId: null }

function ChangePasswordForm({ email }: { email: string }) {
  const state = useServerForm({
    initialValues: { currentPassword: '', newPassword: '' },
    async submit(input) {
      await execute(ChangePasswordDocument, { input }, personalRequest)
      // The change ended this browser's sign-in too.
      await execute(SignInDocument, { input: { email, password: input.newPassword } }, personalRequest)
      state.form.reset()
      toastDone('Your password was changed.')
      await refresh(null)
    },
  })
  return (
    <ServerForm state={state} action="Change password" isSecondary>
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        {...state.form.getInputProps('currentPassword')}
      />
      <PasswordField label="New password" autoComplete="new-password" {...state.form.getInputProps('newPassword')} />
    </ServerForm>
  )
}
