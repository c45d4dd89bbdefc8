import { Box } from '@mantine/core'
import { PageApiMenu } from '../../components/api/use-the-api.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { toastDone } from '../../components/feedback/toast.tsx'
import { FieldInputs, type Fields, toFormValues, toInput, toProperties } from '../../components/form/fields.tsx'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import { PageHeader } from '../../components/page/page-header.tsx'
import { Properties } from '../../components/page/properties.tsx'
import { Section } from '../../components/page/section.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { EnvironmentBadge } from '../../components/text/environment-badge.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { SettingsDocument, type SettingsQuery, UpdateOrganizationDocument } from '../../generated/settings.ts'
import { refresh, useOrganizationQuery, useOrganizationWrite } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { EnvironmentForm } from './environment-form.tsx'
import { updateOrganizationExample } from './update-example.ts'

type Organization = NonNullable<SettingsQuery['organization']>

/** The fields of an organization that people can edit in the form. */
const fields = { name: { label: 'Name' } } satisfies Fields

export function SettingsPage() {
  const mayChange = useMay('org:write')
  const query = useOrganizationQuery(SettingsDocument, {})
  return (
    <>
      <PageHeader
        title="Organization"
        description="What your team and its tools call this organization, and what it is for."
        actions={
          <PageApiMenu
            title="Renames the organization"
            example={updateOrganizationExample({ name: query.data?.organization.name ?? 'Acme' })}
          />
        }
      />
      <ReadOnlyNotice label="org:write" what="change the organization" />
      <Loaded query={query} skeleton={<TableSkeleton rows={3} />}>
        {({ organization }) => (
          <>
            <Properties
              items={[
                ...toProperties(fields, organization),
                ['Environment', <Environment key="environment" organization={organization} />],
                ['Id', <KeyText key="id" value={organization.organizationId} max={26} copy="organization id" />],
                ['Created', <Moment key="created" at={organization.createdAt} />],
              ]}
            />
            {mayChange && <RenameOrganizationForm organization={organization} />}
            {mayChange && <EnvironmentForm key={organization.environment} organization={organization} />}
          </>
        )}
      </Loaded>
    </>
  )
}

function RenameOrganizationForm({ organization }: { organization: Organization }) {
  const write = useOrganizationWrite()
  const before = toFormValues(fields, organization)
  const state = useServerForm({
    initialValues: before,
    async submit(values) {
      await write(UpdateOrganizationDocument, { input: toInput(fields, values) })
      // Reads the person's organizations again, because the switcher lists them.
      await refresh(null)
      toastDone('The organization was renamed.', async () => {
        await write(UpdateOrganizationDocument, { input: toInput(fields, before) })
        await refresh(null)
      })
    },
  })
  return (
    <Section title="Rename">
      <Box maw={560}>
        <ServerForm
          state={state}
          action="Rename"
          example={updateOrganizationExample(toInput(fields, state.form.values))}
        >
          <FieldInputs form={state.form} fields={fields} />
        </ServerForm>
      </Box>
    </Section>
  )
}

function Environment({ organization: { environment } }: { organization: Organization }) {
  return environment ? <EnvironmentBadge environment={environment} /> : 'none'
}
