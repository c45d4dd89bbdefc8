import type { Fields } from '../../components/form/fields.tsx'
import { byPosition } from '../../components/order/by-position.ts'
import type { FeatureRowFragment, OverrideRowFragment } from '../../generated/features.ts'

export type Feature = FeatureRowFragment

/** The texts of a feature. Its key, kind and options have inputs of their own. */
export const featureFields = {
  name: { label: 'Name', inHead: true },
  description: { label: 'Description', lines: 2, inHead: true },
} satisfies Fields

/** In the vendor's order, the features whose key or name contains the text, and that are of the chosen kind. */
export function filterFeatures(
  features: readonly Feature[],
  { q = '', kind }: { q?: string | undefined; kind?: Feature['kind'] | undefined },
): Feature[] {
  const sought = q.trim().toLowerCase()
  return byPosition(features).filter(
    (feature) =>
      (kind === undefined || feature.kind === kind) &&
      (feature.key.includes(sought) || feature.name.toLowerCase().includes(sought)),
  )
}

export type Override = OverrideRowFragment
