import { Button } from '@mantine/core'
import { useOrganizationMutation } from '../../api/queries.ts'
import { toastDone, toastFailed } from '../../components/feedback/toast.tsx'
import { useSlow } from '../../components/feedback/use-slow.ts'
import { ResendEventDocument, RetryEventDocument } from '../../generated/webhook.ts'
import type { Delivery } from './webhook.ts'

type Props = { delivery: Pick<Delivery, 'id' | 'state'>; size: 'compact-xs' | 'xs' }

/** The next attempt now, or one more for an event that is finished. */
export function SendAgain({ delivery: { id, state }, size }: Props) {
  const resend = useOrganizationMutation(ResendEventDocument)
  const retry = useOrganizationMutation(RetryEventDocument)
  const isQueued = state === 'QUEUED'
  const { mutate, isPending } = isQueued ? retry : resend
  const isSlow = useSlow(isPending)

  function send(): void {
    mutate(
      { input: { eventId: id } },
      {
        onSuccess: () => toastDone(isQueued ? 'The next attempt is due now.' : 'The event is sent once more.'),
        onError: toastFailed,
      },
    )
  }

  return (
    <Button variant="default" size={size} loading={isSlow} onClick={send}>
      {isQueued ? 'Retry now' : 'Send again'}
    </Button>
  )
}
