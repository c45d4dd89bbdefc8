import { Drawer, Stack, Text } from '@mantine/core'
import { toastDone } from '../../components/feedback/toast.tsx'
import { DisableWebhookDocument, PutWebhookDocument } from '../../generated/webhook.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { writeLater } from '../../session/queries.ts'
import type { Webhook } from './webhook.ts'
import { WebhookForm } from './webhook-form.tsx'

type Props = { webhook: Webhook; opened: boolean; onClose(): void }

export function EditWebhookDrawer({ webhook, opened, onClose }: Props) {
  const organizationId = useOrganizationId()

  async function putBack(): Promise<void> {
    await writeLater(organizationId, PutWebhookDocument, { input: { url: webhook.url } })
    // Saving an address resumes deliveries.
    if (webhook.disabled) await writeLater(organizationId, DisableWebhookDocument, {})
  }

  return (
    <Drawer opened={opened} onClose={onClose} title="Change address" closeButtonProps={{ 'aria-label': 'Close' }}>
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
