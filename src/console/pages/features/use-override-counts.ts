import type { Count } from '../../components/text/count.ts'
import { FeatureOverrideCountsDocument } from '../../generated/features.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'

/** The live overrides of each feature, by its key; undefined until they are counted, and for those who may not see them. */
export function useOverrideCounts(): Map<string, Count> | undefined {
  const enabled = useMay('overrides:read')
  const { data } = useOrganizationQuery(FeatureOverrideCountsDocument, {}, { enabled })
  return (
    data && new Map(data.features.flatMap(({ key, overrideCount }) => (overrideCount ? [[key, overrideCount]] : [])))
  )
}
