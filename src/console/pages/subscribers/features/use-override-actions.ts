import { refresh, useOrganizationMutation } from '../../../api/queries.ts'
import { request } from '../../../api/request.ts'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { useOrganizationId } from '../../../frame/use-organization-id.ts'
import { DeleteOverrideDocument, PutOverrideDocument } from '../../../generated/explanation.ts'
import type { Override } from './explained.ts'
import { type Decision, decisionOf, type Place, toPutInput } from './override-input.ts'

/** The writes to one override. Each is said once the server has confirmed it, and can be undone. */
export function useOverrideActions(place: Place) {
  const organizationId = useOrganizationId()
  const putting = useOrganizationMutation(PutOverrideDocument)
  const deleting = useOrganizationMutation(DeleteOverrideDocument)
  const { subscriberId, feature } = place

  async function putBack(before: Override, expectedUpdatedAt: string | null): Promise<void> {
    const input = toPutInput(place, decisionOf(before), expectedUpdatedAt)
    await request(PutOverrideDocument, { input }, { organizationId })
    await refresh(organizationId)
  }

  async function takeAway({ updatedAt }: Override): Promise<void> {
    const input = { subscriberId, featureKey: feature, expectedUpdatedAt: updatedAt }
    await request(DeleteOverrideDocument, { input }, { organizationId })
    await refresh(organizationId)
  }

  return {
    isRunning: putting.isPending || deleting.isPending,

    /** `before` is what was there, expired or not; `expectedUpdatedAt` is null if there was none. */
    async put(
      decision: Decision,
      before: Override | null,
      message: string,
      expectedUpdatedAt: string | null = before?.updatedAt ?? null,
    ) {
      const input = toPutInput(place, decision, expectedUpdatedAt)
      const { putOverride: after } = await putting.mutateAsync({ input })
      toastDone(message, () => (before ? putBack(before, after.updatedAt) : takeAway(after)))
      return after
    },

    async remove(override: Override, message: string): Promise<void> {
      await deleting.mutateAsync({
        input: { subscriberId, featureKey: feature, expectedUpdatedAt: override.updatedAt },
      })
      toastDone(message, () => putBack(override, null))
    },
  }
}
