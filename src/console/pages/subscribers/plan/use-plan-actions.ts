import { toastDone } from '../../../components/feedback/toast.tsx'
import { useFollowUp } from '../../../components/heard/use-follow-up.tsx'
import {
  CancelSubscriptionDocument,
  ChangeSubscriptionDocument,
  CreateSubscriptionDocument,
} from '../../../generated/subscribers.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationMutation, writeLater } from '../../../session/queries.ts'
import type { ActiveSubscription } from '../subscriber.ts'

/** The writes to the plan of a subscriber. Each is sent for the subscription that the person saw. */
export function usePlanActions(subscriberId: string, active: ActiveSubscription | null) {
  const organizationId = useOrganizationId()
  const creating = useOrganizationMutation(CreateSubscriptionDocument)
  const changing = useOrganizationMutation(ChangeSubscriptionDocument)
  const canceling = useOrganizationMutation(CancelSubscriptionDocument)

  const { followUp, isAsking } = useFollowUp()

  async function subscribe(planId: string): Promise<void> {
    const detail = await followUp(subscriberId)
    const { createSubscription: made } = await creating.mutateAsync({ input: { subscriberId, planId } })
    const input = { subscriberId, subscriptionId: made.id, expectedSubscriptionId: made.id }
    toastDone(
      `${subscriberId} is on ${planId}.`,
      () => writeLater(organizationId, CancelSubscriptionDocument, { input }),
      { detail, followUp: () => followUp(subscriberId) },
    )
  }

  async function change({ id, planId: before }: ActiveSubscription, planId: string): Promise<void> {
    const detail = await followUp(subscriberId)
    const { changeSubscription: made } = await changing.mutateAsync({
      input: { subscriberId, planId, expectedSubscriptionId: id },
    })
    const input = { subscriberId, planId: before, expectedSubscriptionId: made.id }
    toastDone(
      `${subscriberId} is on ${planId}.`,
      () => writeLater(organizationId, ChangeSubscriptionDocument, { input }),
      { detail, followUp: () => followUp(subscriberId) },
    )
  }

  async function cancel({ id, planId }: ActiveSubscription): Promise<void> {
    const detail = await followUp(subscriberId)
    await canceling.mutateAsync({ input: { subscriberId, subscriptionId: id, expectedSubscriptionId: id } })
    const input = { subscriberId, planId }
    toastDone(
      `${subscriberId} has no plan now.`,
      () => writeLater(organizationId, CreateSubscriptionDocument, { input }),
      { detail, followUp: () => followUp(subscriberId) },
    )
  }

  return {
    isRunning: isAsking || creating.isPending || changing.isPending || canceling.isPending,
    /** null cancels. */
    async moveTo(planKey: string | null): Promise<void> {
      if (planKey === null) return active ? cancel(active) : undefined
      return active ? change(active, planKey) : subscribe(planKey)
    },
  }
}
