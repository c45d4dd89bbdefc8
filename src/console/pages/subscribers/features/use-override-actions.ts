import { useFollowUp } from '../../../components/delivery-status/use-follow-up.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { DeleteOverrideDocument, PutOverrideDocument } from '../../../generated/explanation.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import type { Override } from './explained.ts'
import { type Decision, decisionOf, type Place, toPutInput } from './override-input.ts'

type Put = {
  decision: Decision
  /** The override before the write, expired or not. */
  before: Override | null
  /** null if no override existed. */
  expectedUpdatedAt: string | null
  message: string
  toast?: boolean
}

/** The writes to one override. Each shows a toast with Undo once the server has confirmed it. */
export function useOverrideActions(place: Place) {
  const write = useOrganizationWrite()
  const { subscriberId, feature } = place
  const followUp = useFollowUp()

  function putBack(before: Override, expectedUpdatedAt: string | null): Promise<unknown> {
    const input = toPutInput(place, decisionOf(before), expectedUpdatedAt)
    return write(PutOverrideDocument, { input })
  }

  function takeAway({ updatedAt }: Override): Promise<unknown> {
    const input = { subscriberId, featureKey: feature, expectedUpdatedAt: updatedAt }
    return write(DeleteOverrideDocument, { input })
  }

  return {
    /** `toast` is false where the caller shows the delivery status itself. */
    async put({ decision, before, message, expectedUpdatedAt, toast = true }: Put) {
      const input = toPutInput(place, decision, expectedUpdatedAt)
      const deliveryStatus = await followUp(subscriberId)
      const { putOverride: saved } = await write(PutOverrideDocument, { input })
      toastDone(message, () => (before ? putBack(before, saved.updatedAt) : takeAway(saved)), {
        detail: toast && deliveryStatus,
        followUp: () => followUp(subscriberId),
      })
      return { saved, deliveryStatus }
    },

    async remove(override: Override, message: string): Promise<void> {
      const deliveryStatus = await followUp(subscriberId)
      await write(DeleteOverrideDocument, {
        input: { subscriberId, featureKey: feature, expectedUpdatedAt: override.updatedAt },
      })
      toastDone(message, () => putBack(override, null), {
        detail: deliveryStatus,
        followUp: () => followUp(subscriberId),
      })
    },
  }
}
