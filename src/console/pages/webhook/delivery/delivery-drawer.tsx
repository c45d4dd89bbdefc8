import { Drawer, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiExampleFold } from '../../../components/api/api-example-fold.tsx'
import { CodeBlock, Fold } from '../../../components/api/code-block.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { Properties } from '../../../components/page/properties.tsx'
import { CopyButton } from '../../../components/text/copy-button.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { DeliveryDocument } from '../../../generated/webhook.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { readDeliveryExample } from '../api-examples.ts'
import { DeliveryState } from '../delivery-state.tsx'
import { NextAttempt } from '../next-attempt.tsx'
import { SendAgain } from '../send-again.tsx'
import { verifySnippet } from '../verify-snippet.ts'
import { type Delivery, type DeliveryWithAttempts, subjectOf, waitsForResume } from '../webhook.ts'
import { AttemptList } from './attempt-list.tsx'
import { toDeliveryCurl } from './to-curl.ts'

type Props = { delivery: DeliveryWithAttempts; url: string; isPaused: boolean }

/** One event: its body, and every attempt with its answer. */
function DeliveryDetails({ delivery, url, isPaused }: Props) {
  const mayWrite = useMay('webhooks:write')
  const { id, type, state, occurredAt, dueAt, attempts, body } = delivery
  const curl = toDeliveryCurl(url, delivery)
  return (
    <Stack>
      <Group justify="space-between" gap="xs">
        <Text fz="1rem" fw={600} component="div">
          <code>{type}</code>
        </Text>
        {mayWrite && <SendAgain delivery={delivery} isPaused={waitsForResume(delivery, isPaused)} size="xs" />}
      </Group>
      <Properties
        items={[
          ['State', <DeliveryState key="state" state={state} />],
          ['About', <SubjectLink key="about" delivery={delivery} />],
          ['Occurred', <Moment key="occurred" at={occurredAt} />],
          ...(dueAt === null
            ? []
            : ([
                [
                  'Next attempt',
                  <NextAttempt key="next" delivery={delivery} isPaused={waitsForResume(delivery, isPaused)} />,
                ],
              ] as const)),
          [
            'Event id',
            <Group key="id" gap={4} wrap="nowrap">
              <code>{id}</code> <CopyButton value={id} what="event id" />
            </Group>,
          ],
        ]}
      />
      <AttemptList attempts={attempts} isPaused={waitsForResume(delivery, isPaused)} />
      <EventBody body={body} />
      {curl !== null && (
        <Fold title="The last attempt as curl">
          <Text c="dimmed" my="xs">
            Sends the same headers and body. A receiver that checks the timestamp refuses it after five minutes.
          </Text>
          <CodeBlock title="curl" code={curl} />
        </Fold>
      )}
      <Fold title="Verify it in your receiver">
        <CodeBlock title="Node" code={verifySnippet} />
      </Fold>
      <ApiExampleFold example={readDeliveryExample(id)} />
    </Stack>
  )
}

const bodyViews = [
  { value: 'pretty', label: 'Pretty' },
  { value: 'raw', label: 'Raw' },
]

/** The body, formatted for reading, or exactly as it is signed. */
function EventBody({ body }: { body: string }) {
  const [look, setLook] = useState('pretty')
  return (
    <CodeBlock
      title="Body"
      code={look === 'raw' ? body : JSON.stringify(JSON.parse(body), null, 2)}
      beside={
        <SegmentedControl aria-label="Format of the body" size="xs" data={bodyViews} value={look} onChange={setLook} />
      }
    />
  )
}

/** Links to the subscriber or the plan that an event is about. */
function SubjectLink({ delivery }: { delivery: Pick<Delivery, 'body'> }) {
  const organizationId = useOrganizationId()
  const { subscriber_id: subscriberId, key }: { subscriber_id?: string; key?: string } = JSON.parse(delivery.body)
  const text = shortenMiddle(subjectOf(delivery), 60)
  if (subscriberId !== undefined) {
    return (
      <Link to="/o/$organizationId/subscribers/$subscriberId" params={{ organizationId, subscriberId }}>
        {text}
      </Link>
    )
  }
  if (key === undefined) return 'nothing: a test'
  return (
    <Link to="/o/$organizationId/plans/$planKey" params={{ organizationId, planKey: key }}>
      {text}
    </Link>
  )
}

type DeliveryDrawerProps = { url: string; isPaused: boolean }

const route = getRouteApi('/o/$organizationId/webhook')
const pollIntervalMs = 1500

/** The event that the address names. Refreshes itself: a test event's attempt follows within moments. */
export function DeliveryDrawer({ url, isPaused }: DeliveryDrawerProps) {
  const { delivery: id } = route.useSearch()
  const navigate = route.useNavigate()
  const isOpen = id !== undefined
  const query = useOrganizationQuery(
    DeliveryDocument,
    { id: id ?? '' },
    { enabled: isOpen, ...(isOpen && { refetchInterval: pollIntervalMs }) },
  )
  return (
    <Drawer
      opened={isOpen}
      onClose={() => void navigate({ search: (old) => ({ ...old, delivery: undefined }) })}
      title="Delivery"
      size="lg"
    >
      <Loaded query={query} skeleton={<Skeleton height={240} />}>
        {({ webhookEvent }) => <DeliveryDetails delivery={webhookEvent} url={url} isPaused={isPaused} />}
      </Loaded>
    </Drawer>
  )
}
