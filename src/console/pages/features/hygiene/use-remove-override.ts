import { toastDone, toastFailed } from '../../../components/feedback/toast.tsx'
import { useFollowUp } from '../../../components/heard/use-follow-up.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { PutFeatureOverrideDocument, RemoveFeatureOverrideDocument } from '../../../generated/features.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationMutation, writeLater } from '../../../session/queries.ts'
import type { Override } from '../overrides/override-row.ts'

/** Removes an override as it was read, and offers to put it again. */
export function useRemoveOverride() {
  const organizationId = useOrganizationId()
  const { followUp } = useFollowUp()
  const remove = useOrganizationMutation(RemoveFeatureOverrideDocument)

  async function run(override: Override): Promise<void> {
    const { subscriberId, feature: featureKey, updatedAt: expectedUpdatedAt } = override
    try {
      const detail = await followUp(subscriberId)
      await remove.mutateAsync({ input: { subscriberId, featureKey, expectedUpdatedAt } })
      toastDone(
        `Override of ${featureKey} for ${shortenMiddle(subscriberId, 40)} is removed.`,
        () => putAgain(organizationId, override),
        { detail, followUp: () => followUp(subscriberId) },
      )
    } catch (error) {
      toastFailed(error as Error)
    }
  }
  /** The one that is being removed. */
  const running = remove.isPending ? remove.variables.input : null
  return {
    run,
    isRunning: (of: Override) => running?.subscriberId === of.subscriberId && running.featureKey === of.feature,
  }
}

function putAgain(organizationId: string, override: Override): Promise<unknown> {
  const { subscriberId, feature: featureKey, kind, allowed, limit, value, expiresAt, note } = override
  const own = { FLAG: { allowed }, LIMIT: { limit }, CONFIG: { value } }[kind]
  const input = { subscriberId, featureKey, kind, ...own, expiresAt, note, expectedUpdatedAt: null }
  return writeLater(organizationId, PutFeatureOverrideDocument, { input })
}
