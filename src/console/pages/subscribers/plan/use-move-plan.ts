import { useFollowUp } from '../../../components/delivery-status/use-follow-up.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import {
  CancelSubscriptionDocument,
  ChangeSubscriptionDocument,
  CreateSubscriptionDocument,
} from '../../../generated/subscribers.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import type { ActiveSubscription } from '../subscriber.ts'

type MoveResult = { message: string; undo(): Promise<unknown> }

/**
 * Returns a function that moves the subscriber to another plan, or with null cancels the subscription. The server refuses if
 * the subscription is no longer the one that the person saw.
 */
export function useMovePlan(subscriberId: string, active: ActiveSubscription | null) {
  const write = useOrganizationWrite()
  const followUp = useFollowUp()

  async function subscribe(planId: string): Promise<MoveResult> {
    const { createSubscription: made } = await write(CreateSubscriptionDocument, { input: { subscriberId, planId } })
    const input = { subscriberId, subscriptionId: made.id, expectedSubscriptionId: made.id }
    return { message: `${subscriberId} is on ${planId}.`, undo: () => write(CancelSubscriptionDocument, { input }) }
  }

  async function change({ id, planId: before }: ActiveSubscription, planId: string): Promise<MoveResult> {
    const { changeSubscription: made } = await write(ChangeSubscriptionDocument, {
      input: { subscriberId, planId, expectedSubscriptionId: id },
    })
    const input = { subscriberId, planId: before, expectedSubscriptionId: made.id }
    return { message: `${subscriberId} is on ${planId}.`, undo: () => write(ChangeSubscriptionDocument, { input }) }
  }

  async function cancel({ id, planId }: ActiveSubscription): Promise<MoveResult> {
    await write(CancelSubscriptionDocument, { input: { subscriberId, subscriptionId: id, expectedSubscriptionId: id } })
    const input = { subscriberId, planId }
    return { message: `${subscriberId} has no plan now.`, undo: () => write(CreateSubscriptionDocument, { input }) }
  }

  function move(planKey: string | null): Promise<MoveResult> | null {
    if (planKey === null) return active && cancel(active)
    return active ? change(active, planKey) : subscribe(planKey)
  }

  return async function moveTo(planKey: string | null): Promise<void> {
    const detail = await followUp(subscriberId)
    const moved = await move(planKey)
    if (moved) toastDone(moved.message, moved.undo, { detail, followUp: () => followUp(subscriberId) })
  }
}
