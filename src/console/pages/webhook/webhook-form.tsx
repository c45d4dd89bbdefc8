import { TextInput } from '@mantine/core'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import { PutWebhookDocument } from '../../generated/webhook.ts'
import { useOrganizationWrite } from '../../session/queries.ts'
import { saveWebhookExample } from './api-examples.ts'

type Props = {
  url: string
  /** The label of the button. */
  action: string
  /** Called with the secret of a new webhook, else with null. */
  onSaved(secret: string | null): void
  onCancel?: () => void
}

export function WebhookForm({ url, action, onSaved, onCancel }: Props) {
  const write = useOrganizationWrite()
  const state = useServerForm({
    initialValues: { url },
    draft: `webhook ${url}`,
    async submit(values) {
      const { putWebhook } = await write(PutWebhookDocument, { input: values })
      onSaved(putWebhook.secret)
    },
  })
  return (
    <ServerForm
      state={state}
      action={action}
      example={saveWebhookExample(state.form.values.url)}
      {...(onCancel && { onCancel })}
    >
      <TextInput
        label="Address"
        description="Where events are sent, by POST. http or https, without credentials."
        placeholder="https://app.example.com/entitlements"
        type="url"
        spellCheck={false}
        data-autofocus
        {...state.form.getInputProps('url')}
      />
    </ServerForm>
  )
}
