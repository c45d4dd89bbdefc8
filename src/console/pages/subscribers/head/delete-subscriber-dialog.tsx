import { List, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useFollowUp } from '../../../components/delivery-status/use-follow-up.tsx'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { OverridesOfSubscriberDocument } from '../../../generated/explanation.ts'
import { DeleteSubscriberDocument } from '../../../generated/subscribers.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationPages, useOrganizationWrite } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { deleteSubscriberExample } from '../api-examples.ts'
import { nameOf, type Subscriber } from '../subscriber.ts'

type Props = { subscriber: Subscriber; opened: boolean; onClose(): void }

/** Deleting cannot be undone: the dialog lists everything that is deleted, and the person has to type the id. */
export function DeleteSubscriberDialog({ subscriber, opened, onClose }: Props) {
  const { subscriberId, activeSubscription } = subscriber
  const organizationId = useOrganizationId()
  const navigate = useNavigate()
  const followUp = useFollowUp()
  const write = useOrganizationWrite()

  async function confirm(): Promise<void> {
    const detail = await followUp(subscriberId)
    await write(DeleteSubscriberDocument, { input: { subscriberId } })
    await navigate({ to: '/o/$organizationId/subscribers', params: { organizationId } })
    toastDone(`Subscriber ${subscriberId} was deleted.`, undefined, { detail })
  }

  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete ${nameOf(subscriber)}`}
      action="Delete subscriber"
      example={deleteSubscriberExample(subscriberId)}
      confirmationText={subscriberId}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div>
        <Text>This cannot be undone. This also deletes:</Text>
        <List size="sm" mt="xs">
          <List.Item>
            {activeSubscription ? `the subscription to ${activeSubscription.planId}, and` : 'the'} plan history
          </List.Item>
          <Overrides subscriberId={subscriberId} />
        </List>
        <Text mt="xs">Once it is deleted, checks for {subscriberId} are refused.</Text>
      </div>
    </ConfirmDialog>
  )
}

function Overrides({ subscriberId }: { subscriberId: string }) {
  const { nodes, query, hasMore } = useOrganizationPages(
    OverridesOfSubscriberDocument,
    { filter: { subscriberId } },
    ({ overrides }) => overrides,
    { enabled: useMay('overrides:read') },
  )
  if (query.isPending || query.error) return <List.Item>all overrides, including expired ones</List.Item>
  const count = `${hasMore ? 'more than ' : ''}${nodes.length}`
  return (
    <List.Item>
      {count} {nodes.length === 1 ? 'override' : 'overrides'}, including expired ones
    </List.Item>
  )
}
