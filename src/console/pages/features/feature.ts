import type { FeatureRowFragment } from '../../generated/features.ts'

export type Feature = FeatureRowFragment

/** The features whose key or name contains the text, and that are of the chosen kind. */
export function filterFeatures(
  features: readonly Feature[],
  { q = '', kind }: { q?: string | undefined; kind?: Feature['kind'] | undefined },
): Feature[] {
  const sought = q.trim().toLowerCase()
  return features.filter(
    (feature) =>
      (kind === undefined || feature.kind === kind) &&
      (feature.key.includes(sought) || feature.name.toLowerCase().includes(sought)),
  )
}
