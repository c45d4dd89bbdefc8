import { toastDone } from '../../../components/feedback/toast.tsx'
import { useFollowUp } from '../../../components/heard/use-follow-up.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { PutFeatureOverrideDocument, RemoveFeatureOverrideDocument } from '../../../generated/features.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import type { Override } from '../overrides/override-row.ts'

/** Removes an override as it was read, and offers to put it again. */
export function useRemoveOverride() {
  const followUp = useFollowUp()
  const write = useOrganizationWrite()

  return async function remove(override: Override): Promise<void> {
    const { subscriberId, feature: featureKey, updatedAt: expectedUpdatedAt } = override
    const detail = await followUp(subscriberId)
    await write(RemoveFeatureOverrideDocument, { input: { subscriberId, featureKey, expectedUpdatedAt } })
    toastDone(
      `Override of ${featureKey} for ${shortenMiddle(subscriberId, 40)} is removed.`,
      () => write(PutFeatureOverrideDocument, { input: toPutInput(override) }),
      { detail, followUp: () => followUp(subscriberId) },
    )
  }
}

function toPutInput({ subscriberId, feature: featureKey, kind, allowed, limit, value, expiresAt, note }: Override) {
  const own = { FLAG: { allowed }, LIMIT: { limit }, CONFIG: { value } }[kind]
  return { subscriberId, featureKey, kind, ...own, expiresAt, note, expectedUpdatedAt: null }
}
