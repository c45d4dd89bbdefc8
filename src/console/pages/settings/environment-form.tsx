import { Box } from '@mantine/core'
import { toastDone } from '../../components/feedback/toast.tsx'
import { RadioChoice } from '../../components/form/radio-choice.tsx'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import { Section } from '../../components/page/section.tsx'
import { type Environment, type SettingsQuery, UpdateOrganizationDocument } from '../../generated/settings.ts'
import { refresh, useOrganizationWrite } from '../../session/queries.ts'
import { updateOrganizationExample } from './update-example.ts'

const noneValue = 'NONE'

const choices = [
  { value: noneValue, label: 'None', description: 'Pages show no environment.' },
  {
    value: 'LIVE',
    label: 'Live',
    description: 'Real customers: a green band and the word “live” on every page.',
  },
  {
    value: 'TEST',
    label: 'Test',
    description: 'For trying things out: a striped band and the word “test” on every page.',
  },
]

type Props = { organization: NonNullable<SettingsQuery['organization']> }

/** Sets the organization's environment. Every page shows it, so that nobody edits the wrong organization. */
export function EnvironmentForm({ organization }: Props) {
  const write = useOrganizationWrite()
  const before = organization.environment

  async function saveEnvironment(environment: Environment | null): Promise<void> {
    await write(UpdateOrganizationDocument, { input: { environment } })
    // Reads the person's organizations again, because the switcher lists them.
    await refresh(null)
  }

  const state = useServerForm({
    initialValues: { environment: (before ?? noneValue) as string },
    async submit(values) {
      await saveEnvironment(toEnvironment(values.environment))
      toastDone('The environment was changed.', () => saveEnvironment(before))
    },
  })
  return (
    <Section title="Environment" description="What it is for, so that nobody edits the wrong one.">
      <Box maw={560}>
        <ServerForm
          state={state}
          action="Save environment"
          isSecondary
          example={updateOrganizationExample({ environment: toEnvironment(state.form.values.environment) })}
        >
          <RadioChoice
            label="Environment"
            isLabelHidden
            choices={choices}
            {...state.form.getInputProps('environment')}
          />
        </ServerForm>
      </Box>
    </Section>
  )
}

function toEnvironment(value: string): Environment | null {
  return value === noneValue ? null : (value as Environment)
}
