import { Group, Stack, Text } from '@mantine/core'
import { ApiFold } from '../../../components/api/api-fold.tsx'
import { CodeBlock } from '../../../components/api/code-block.tsx'
import { Fold } from '../../../components/api/fold.tsx'
import { Properties } from '../../../components/page/properties.tsx'
import { CopyButton } from '../../../components/text/copy-button.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { useMay } from '../../../session/viewer.ts'
import { readDelivery } from '../api-examples.ts'
import { DeliveryState } from '../delivery-state.tsx'
import { NextAttempt } from '../next-attempt.tsx'
import { SendAgain } from '../send-again.tsx'
import { verifySnippet } from '../verify-snippet.ts'
import type { OpenDelivery } from '../webhook.ts'
import { AttemptList } from './attempt-list.tsx'
import { EventBody } from './event-body.tsx'
import { SubjectLink } from './subject-link.tsx'
import { toDeliveryCurl } from './to-curl.ts'

type Props = { delivery: OpenDelivery; url: string; isPaused: boolean }

/** One event: what is sent, and every attempt with its answer. */
export function DeliveryDetails({ delivery, url, isPaused }: Props) {
  const mayWrite = useMay('webhooks:write')
  const { id, type, state, occurredAt, dueAt, attempts, body } = delivery
  const curl = toDeliveryCurl(url, delivery)
  return (
    <Stack>
      <Group justify="space-between" gap="xs">
        <Text fz="1rem" fw={600} component="div">
          <code>{type}</code>
        </Text>
        {mayWrite && <SendAgain delivery={delivery} isPaused={isPaused} size="xs" />}
      </Group>
      <Properties
        items={[
          ['State', <DeliveryState key="state" state={state} />],
          ['About', <SubjectLink key="about" delivery={delivery} />],
          ['Occurred', <Moment key="occurred" at={occurredAt} />],
          ...(dueAt === null
            ? []
            : ([['Next attempt', <NextAttempt key="next" delivery={delivery} isPaused={isPaused} />]] as const)),
          [
            'Event id',
            <Group key="id" gap={4} wrap="nowrap">
              <code>{id}</code> <CopyButton value={id} what="event id" />
            </Group>,
          ],
        ]}
      />
      <AttemptList attempts={attempts} isPaused={isPaused} />
      <EventBody body={body} />
      {curl !== null && (
        <Fold title="The last attempt as curl">
          <Text c="dimmed" my="xs">
            With its headers as they were sent. A receiver that checks the age refuses it after five minutes.
          </Text>
          <CodeBlock title="curl" code={curl} />
        </Fold>
      )}
      <Fold title="Verify it in your receiver">
        <CodeBlock title="Node" code={verifySnippet} />
      </Fold>
      <ApiFold example={readDelivery(id)} />
    </Stack>
  )
}
