import { useFollowUp } from '../../../components/delivery-status/use-follow-up.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { DeleteOverrideDocument, PutOverrideDocument } from '../../../generated/explanation.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import type { Override } from './explained.ts'
import { choiceOf, type OverrideChoice, type OverrideTarget, toPutInput } from './override-input.ts'

type PutOptions = {
  decision: OverrideChoice
  /** The override before the write, expired or not. */
  before: Override | null
  /** null if no override existed. */
  expectedUpdatedAt: string | null
  message: string
  toast?: boolean
}

/** The writes to one override. Each shows a toast with Undo once the server has confirmed it. */
export function useOverrideActions(place: OverrideTarget) {
  const write = useOrganizationWrite()
  const { subscriberId, feature } = place
  const followUp = useFollowUp()

  function restoreOverride(before: Override, expectedUpdatedAt: string | null): Promise<unknown> {
    const input = toPutInput(place, choiceOf(before), expectedUpdatedAt)
    return write(PutOverrideDocument, { input })
  }

  function removeOverride({ updatedAt }: Override): Promise<unknown> {
    const input = { subscriberId, featureKey: feature, expectedUpdatedAt: updatedAt }
    return write(DeleteOverrideDocument, { input })
  }

  return {
    /** Pass `toast: false` if the caller shows the delivery status itself. */
    async put({ decision, before, message, expectedUpdatedAt, toast = true }: PutOptions) {
      const input = toPutInput(place, decision, expectedUpdatedAt)
      const deliveryStatus = await followUp(subscriberId)
      const { putOverride: saved } = await write(PutOverrideDocument, { input })
      toastDone(message, () => (before ? restoreOverride(before, saved.updatedAt) : removeOverride(saved)), {
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
      toastDone(message, () => restoreOverride(override, null), {
        detail: deliveryStatus,
        followUp: () => followUp(subscriberId),
      })
    },
  }
}
