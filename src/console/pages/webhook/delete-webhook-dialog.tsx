import { Text } from '@mantine/core'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { toastDone } from '../../components/feedback/toast.tsx'
import { formatNumber } from '../../components/text/number.ts'
import { DeleteWebhookDocument } from '../../generated/webhook.ts'
import { useOrganizationWrite } from '../../session/queries.ts'
import { deleteWebhookExample } from './api-examples.ts'
import { type Counts, hostOf, type Webhook } from './webhook.ts'

type Props = { webhook: Webhook; counts: Counts; opened: boolean; onClose(): void }

export function DeleteWebhookDialog({ webhook, counts, opened, onClose }: Props) {
  const write = useOrganizationWrite()
  const { queued } = counts
  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete the webhook to ${hostOf(webhook.url)}`}
      action="Delete webhook"
      example={deleteWebhookExample}
      onClose={onClose}
      onConfirm={async () => {
        await write(DeleteWebhookDocument, {})
        toastDone('The webhook is deleted.')
      }}
    >
      <Text>
        {queued === 0
          ? 'Nothing is queued. '
          : `${formatNumber(queued)} queued ${queued === 1 ? 'event is' : 'events are'} dropped and never sent. `}
        The list of deliveries and the secret are gone too, and your product is told of no change from then on. To stop
        for a while, pause it instead.
      </Text>
    </ConfirmDialog>
  )
}
