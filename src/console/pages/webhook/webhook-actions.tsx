import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { toastDone, toastFailed } from '../../components/feedback/toast.tsx'
import { useSlow } from '../../components/feedback/use-slow.ts'
import { DeleteIcon } from '../../components/icons/actions.tsx'
import { DisableWebhookDocument, EnableWebhookDocument, SendTestEventDocument } from '../../generated/webhook.ts'
import { useOrganizationMutation } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { DeleteWebhookDialog } from './delete-webhook-dialog.tsx'
import type { Counts, Webhook } from './webhook.ts'

const route = getRouteApi('/o/$organizationId/webhook')

/**
 * In the head of the page: while deliveries are paused, Resume is the primary button. A test event opens at once, so that its
 * attempt is seen.
 */
export function WebhookActions({ webhook, counts }: { webhook: Webhook; counts: Counts }) {
  const { disabled } = webhook
  const navigate = route.useNavigate()
  const pause = useOrganizationMutation(DisableWebhookDocument)
  const resume = useOrganizationMutation(EnableWebhookDocument)
  const test = useOrganizationMutation(SendTestEventDocument)
  const [isDeleting, setDeleting] = useState(false)
  const isSwitching = useSlow(pause.isPending || resume.isPending)
  const isSending = useSlow(test.isPending)
  if (!useMay('webhooks:write')) return null

  function pauseNow(): void {
    pause.mutate(
      {},
      {
        onSuccess: () => toastDone('Deliveries are paused. Events are still queued.', () => resume.mutateAsync({})),
        onError: toastFailed,
      },
    )
  }

  function resumeNow(): void {
    resume.mutate(
      {},
      { onSuccess: () => toastDone('Deliveries are resumed.', () => pause.mutateAsync({})), onError: toastFailed },
    )
  }

  function sendTest(): void {
    test.mutate(
      {},
      {
        onSuccess({ sendTestEvent: { id } }) {
          if (disabled) toastDone('The test event is queued, and sent when deliveries resume.')
          void navigate({ search: (old) => ({ ...old, delivery: id }) })
        },
        onError: toastFailed,
      },
    )
  }

  return (
    <>
      <Button variant="default" leftSection={<DeleteIcon size={16} />} onClick={() => setDeleting(true)}>
        Delete
      </Button>
      {!disabled && (
        <Button variant="default" loading={isSwitching} onClick={pauseNow}>
          Pause
        </Button>
      )}
      <Button variant={disabled ? 'default' : 'filled'} loading={isSending} onClick={sendTest}>
        Send test event
      </Button>
      {disabled && (
        <Button loading={isSwitching} onClick={resumeNow}>
          Resume
        </Button>
      )}
      <DeleteWebhookDialog webhook={webhook} counts={counts} opened={isDeleting} onClose={() => setDeleting(false)} />
    </>
  )
}
