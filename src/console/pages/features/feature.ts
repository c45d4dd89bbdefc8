import type { Fields } from '../../components/form/fields.tsx'
import { sortByPosition } from '../../components/order/by-position.ts'
import { hasAllWords } from '../../components/text/has-all-words.ts'
import type { FeatureRowFragment, OverrideRowFragment } from '../../generated/features.ts'

export type Feature = FeatureRowFragment

/** The text fields in the forms of a feature. Its key, kind and options have their own inputs. */
export const featureFields = {
  name: { label: 'Name', inHead: true },
  description: { label: 'Description', lines: 2, inHead: true },
} satisfies Fields

/** The features of the chosen kind whose key or name contains the words, in the vendor's order. */
export function filterFeatures(
  features: readonly Feature[],
  { q = '', kind }: { q?: string | undefined; kind?: Feature['kind'] | undefined },
): Feature[] {
  return sortByPosition(features).filter(
    (feature) => (kind === undefined || feature.kind === kind) && hasAllWords(q, feature.key, feature.name),
  )
}

export type Override = OverrideRowFragment
