import { Text } from '@mantine/core'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { RotateWebhookDocument } from '../../generated/webhook.ts'
import { useOrganizationWrite } from '../../session/queries.ts'
import { rotateWebhookExample } from './api-examples.ts'
import { hostOf, type Webhook } from './webhook.ts'

type Props = { webhook: Webhook; opened: boolean; onClose(): void; onSecret(secret: string): void }

export function RotateDialog({ webhook, opened, onClose, onSecret }: Props) {
  const write = useOrganizationWrite()
  return (
    <ConfirmDialog
      opened={opened}
      title="Rotate the secret"
      action="Rotate secret"
      example={rotateWebhookExample}
      typed={hostOf(webhook.url)}
      onClose={onClose}
      onConfirm={async () => {
        const { rotateWebhook } = await write(RotateWebhookDocument, {})
        if (rotateWebhook.secret !== null) onSecret(rotateWebhook.secret)
      }}
    >
      <Text>
        The secret {webhook.secretPrefix}… ends at once: every attempt after this one, retries included, is signed with
        the new one. What your receiver refuses until it has the new secret arrives again with the retries.
      </Text>
    </ConfirmDialog>
  )
}
