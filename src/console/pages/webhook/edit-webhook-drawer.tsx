import { Drawer, Stack, Text } from '@mantine/core'
import { toastDone } from '../../components/feedback/toast.tsx'
import { DisableWebhookDocument, PutWebhookDocument } from '../../generated/webhook.ts'
import { useOrganizationWrite } from '../../session/queries.ts'
import type { Webhook } from './webhook.ts'
import { WebhookForm } from './webhook-form.tsx'

type Props = { webhook: Webhook; opened: boolean; onClose(): void }

export function EditWebhookDrawer({ webhook, opened, onClose }: Props) {
  const write = useOrganizationWrite()

  async function putBack(): Promise<void> {
    await write(PutWebhookDocument, { input: { url: webhook.url } })
    // Saving an address resumes deliveries.
    if (webhook.disabled) await write(DisableWebhookDocument, {})
  }

  return (
    <Drawer opened={opened} onClose={onClose} title="Change address">
      <Stack>
        <Text c="dimmed">
          The secret stays. What is queued goes to the new address
          {webhook.disabled ? ', and saving resumes deliveries' : ''}.
        </Text>
        <WebhookForm
          url={webhook.url}
          action="Save"
          onCancel={onClose}
          onSaved={() => {
            toastDone('The address is saved.', putBack)
            onClose()
          }}
        />
      </Stack>
    </Drawer>
  )
}
