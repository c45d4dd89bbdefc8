import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { toastDone, toastFailed } from '../../components/feedback/toast.tsx'
import { useIsSlow } from '../../components/feedback/use-is-slow.ts'
import { Moment } from '../../components/text/moment.tsx'
import { formatNumber } from '../../components/text/number.ts'
import {
  DisableWebhookDocument,
  EnableWebhookDocument,
  NewestTestDocument,
  type NewestTestQuery,
} from '../../generated/webhook.ts'
import { useOrganizationQuery, useOrganizationWrite } from '../../session/queries.ts'
import { describeWaitingEvents, type EventCounts, type Webhook } from './webhook.ts'

type Props = Pick<Webhook, 'disabledAt'> & { counts: EventCounts }

/** The button that resumes deliveries. Asks first if the last test that was sent during the pause has failed. */
export function Resume({ disabledAt, counts: { queued } }: Props) {
  const write = useOrganizationWrite()
  const [isAsking, setAsking] = useState(false)
  const tests = useOrganizationQuery(NewestTestDocument, {}, { refetchInterval: 5_000 })
  const failed = findFailedTest(tests.data, disabledAt)

  async function resume(): Promise<void> {
    await write(EnableWebhookDocument, {})
    const message =
      queued === 0
        ? 'Deliveries have resumed.'
        : `Deliveries have resumed. ${formatNumber(queued)} queued ${queued === 1 ? 'event is' : 'events are'} being sent.`
    toastDone(message, () => write(DisableWebhookDocument, {}))
  }

  async function resumeUnlessFailed(): Promise<void> {
    // A test may have ended since the list was read.
    const { data } = await tests.refetch()
    if (findFailedTest(data, disabledAt)) setAsking(true)
    else await resume()
  }

  const { mutate, isPending } = useMutation({ mutationFn: resumeUnlessFailed, onError: toastFailed })
  const last = failed?.attempts.at(-1)
  return (
    <>
      <Button loading={useIsSlow(isPending)} onClick={() => mutate()}>
        {queued === 0 ? 'Resume' : `Resume (${formatNumber(queued)} waiting)`}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="Resume although the last test failed?"
        action="Resume anyway"
        onClose={() => setAsking(false)}
        onConfirm={resume}
      >
        <Text>
          It ended {failed && <Moment at={failed.occurredAt} />}
          {last && `: ${last.error ?? `the receiver answered ${last.status}`}`}.{' '}
          {queued > 0 && `${describeWaitingEvents(queued)} and will be sent at once. `}Fix your receiver first, or
          resume now.
        </Text>
      </ConfirmDialog>
    </>
  )
}

/** The newest test, if it was sent during the pause and has failed. */
function findFailedTest(tests: NewestTestQuery | undefined, disabledAt: string | null) {
  const test = tests?.webhookEvents?.nodes[0]
  const isInPause = test !== undefined && (disabledAt === null || test.occurredAt >= disabledAt)
  return isInPause && test.state === 'FAILED' ? test : null
}
