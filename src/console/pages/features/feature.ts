import type { FeatureRowFragment } from '../../generated/features.ts'

export type Feature = FeatureRowFragment

/** Whose key or name holds what was typed, and of the kind that was chosen. */
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
