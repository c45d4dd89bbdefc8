import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { toastDone, toastFailed } from '../../components/feedback/toast.tsx'
import { useIsSlow } from '../../components/feedback/use-is-slow.ts'
import { useFlag } from '../../components/page/use-flag.ts'
import { formatNumber } from '../../components/text/number.ts'
import {
  DeleteWebhookDocument,
  DisableWebhookDocument,
  EnableWebhookDocument,
  SendTestEventDocument,
} from '../../generated/webhook.ts'
import { useOrganizationWrite } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { deleteWebhookExample } from './api-examples.ts'
import { type EventCounts, hostOf, type Webhook } from './webhook.ts'

const route = getRouteApi('/o/$organizationId/webhook')

/** Pauses deliveries at once; hidden while they are paused. An address with `pause` opens a dialog that asks first. */
export function PauseButton({ webhook: { disabled } }: { webhook: Webhook }) {
  const write = useOrganizationWrite()
  const question = useFlag('pause')

  async function pause(): Promise<void> {
    await write(DisableWebhookDocument, {})
    toastDone('Deliveries are paused. Events are still queued.', () => write(EnableWebhookDocument, {}))
  }

  const { mutate, isPending } = useMutation({ mutationFn: pause, onError: toastFailed })
  const isPausing = useIsSlow(isPending)
  if (!useMay('webhooks:write') || disabled) return null
  return (
    <>
      <Button variant="default" loading={isPausing} onClick={() => !isPending && mutate()}>
        Pause
      </Button>
      <ConfirmDialog
        opened={question.isOn}
        title="Pause deliveries?"
        action="Pause deliveries"
        onClose={question.close}
        onConfirm={pause}
      >
        <Text>Your product is not told of changes until you resume. Events are still queued.</Text>
      </ConfirmDialog>
    </>
  )
}

/** Sends a test event and opens it. This is the page's primary button, except while deliveries are paused: then Resume is. */
export function SendTest({ variant }: { variant: 'filled' | 'default' }) {
  const navigate = route.useNavigate()
  const write = useOrganizationWrite()
  const test = useMutation({ mutationFn: () => write(SendTestEventDocument, {}), onError: toastFailed })
  const isSending = useIsSlow(test.isPending)
  if (!useMay('webhooks:write')) return null

  function sendTest(): void {
    if (test.isPending) return
    test.mutate(undefined, {
      // Not called once the person has left the page, so nothing brings them back.
      onSuccess({ sendTestEvent: { id } }) {
        void navigate({ search: (old) => ({ ...old, delivery: id }) })
      },
    })
  }

  return (
    <Button variant={variant} loading={isSending} onClick={sendTest}>
      Send test event
    </Button>
  )
}

type Props = { webhook: Webhook; counts: EventCounts; opened: boolean; onClose(): void }

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
        toastDone('The webhook was deleted.')
      }}
    >
      <Text>
        {queued === 0
          ? 'Nothing is queued. '
          : `${formatNumber(queued)} queued ${queued === 1 ? 'event is' : 'events are'} dropped and never sent. `}
        This also deletes the list of deliveries and the secret, and your product is no longer notified of changes. To
        stop for a while, pause deliveries instead.
      </Text>
    </ConfirmDialog>
  )
}
