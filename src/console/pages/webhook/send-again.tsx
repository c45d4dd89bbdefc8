import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { toastDone, toastFailed } from '../../components/feedback/toast.tsx'
import { useIsSlow } from '../../components/feedback/use-is-slow.ts'
import { ResendEventDocument, RetryEventDocument } from '../../generated/webhook.ts'
import { useOrganizationWrite } from '../../session/queries.ts'
import type { Delivery } from './webhook.ts'

type Props = { delivery: Pick<Delivery, 'id' | 'type' | 'state'>; isPaused: boolean; size: 'compact-sm' | 'xs' }

/**
 * Makes the next attempt due now, or queues a finished event once more. Queued events have no button while deliveries are
 * paused, and a test has none while its attempt is under way.
 */
export function SendAgain({ delivery: { id, type, state }, isPaused, size }: Props) {
  const write = useOrganizationWrite()
  const isQueued = state === 'QUEUED'
  const { mutate, isPending } = useMutation({
    // Shows the toast here, not in `onSuccess`: the page may render the event's new state, with another `onSuccess`, before
    // this function ends.
    async mutationFn() {
      await write<unknown, { input: { eventId: string } }>(isQueued ? RetryEventDocument : ResendEventDocument, {
        input: { eventId: id },
      })
      toastDone(describeSent(isQueued, isPaused))
    },
    onError: toastFailed,
  })
  const isSlow = useIsSlow(isPending)

  if (isQueued && (isPaused || type === 'webhook.test')) return null
  return (
    <Button variant="default" size={size} loading={isSlow} onClick={() => !isPending && mutate()}>
      {isQueued ? 'Retry now' : 'Resend'}
    </Button>
  )
}

function describeSent(wasQueued: boolean, isPaused: boolean): string {
  if (wasQueued) return 'The next attempt is due now.'
  return isPaused ? 'The event is queued and will be sent when deliveries resume.' : 'The event is sent once more.'
}
