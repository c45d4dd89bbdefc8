import { useFollowUp } from '../../../components/delivery-status/use-follow-up.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { startsLater } from '../../../components/text/starts-later.ts'
import { DeleteOverrideDocument, PutOverrideDocument } from '../../../generated/explanation.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { request } from '../../../session/request.ts'
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
export function useOverrideActions(target: OverrideTarget) {
  const write = useOrganizationWrite()
  const organizationId = useOrganizationId()
  const { subscriberId, feature } = target
  const followUp = useFollowUp()

  /**
   * Restores the override `before` in place of `now`. If `before` starts later, the server does not let it replace an override
   * that is in force, so `now` is deleted first.
   */
  async function restoreOverride(before: Override, now: Override | null): Promise<void> {
    const mustDeleteFirst = startsLater(before.startsAt) && now !== null && now.startsAt === null
    // This is not done with `write`, so that the page reads its data again only after both writes.
    if (mustDeleteFirst) await request(DeleteOverrideDocument, { input: toDeleteInput(now) }, { organizationId })
    const input = toPutInput(target, choiceOf(before), mustDeleteFirst || !now ? null : now.updatedAt)
    await write(PutOverrideDocument, { input })
  }

  const toDeleteInput = ({ updatedAt }: Override) => ({
    subscriberId,
    featureKey: feature,
    expectedUpdatedAt: updatedAt,
  })

  function removeOverride(override: Override): Promise<unknown> {
    return write(DeleteOverrideDocument, { input: toDeleteInput(override) })
  }

  return {
    /** Pass `toast: false` if the caller shows the delivery status itself. */
    async put({ decision, before, message, expectedUpdatedAt, toast = true }: PutOptions) {
      const input = toPutInput(target, decision, expectedUpdatedAt)
      const deliveryStatus = await followUp(subscriberId)
      const { putOverride: saved } = await write(PutOverrideDocument, { input })
      toastDone(message, () => (before ? restoreOverride(before, saved) : removeOverride(saved)), {
        detail: toast && deliveryStatus,
        followUp: () => followUp(subscriberId),
      })
      return { saved, deliveryStatus }
    },

    async remove(override: Override, message: string): Promise<void> {
      const deliveryStatus = await followUp(subscriberId)
      await removeOverride(override)
      toastDone(message, () => restoreOverride(override, null), {
        detail: deliveryStatus,
        followUp: () => followUp(subscriberId),
      })
    },
  }
}
