import { Box, TextInput } from '@mantine/core'
import { writeExample } from '../../components/api/api-examples.ts'
import { toastDone } from '../../components/feedback/toast.tsx'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import { Section } from '../../components/page/section.tsx'
import { UpdateOrganizationDocument } from '../../generated/settings.ts'
import { refresh, useOrganizationWrite } from '../../session/queries.ts'

export function RenameOrganizationForm({ name }: { name: string }) {
  const write = useOrganizationWrite()
  const state = useServerForm({
    initialValues: { name },
    async submit(input) {
      await write(UpdateOrganizationDocument, { input })
      // The switcher lists the person's organizations.
      await refresh(null)
      toastDone('The organization is renamed.', async () => {
        await write(UpdateOrganizationDocument, { input: { name } })
        await refresh(null)
      })
    },
  })
  return (
    <Section title="Rename">
      <Box maw={560}>
        <ServerForm state={state} action="Rename" example={renameExample(state.form.values)}>
          <TextInput label="Name" {...state.form.getInputProps('name')} />
        </ServerForm>
      </Box>
    </Section>
  )
}

/** The same for a program. */
export function renameExample(input: { name: string }) {
  return writeExample({
    method: 'PATCH',
    path: '/org',
    body: input,
    mutation: 'updateOrganization',
    input,
    answer: 'name',
  })
}
