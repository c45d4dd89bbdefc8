import { comparePositions } from '../../../components/order/by-position.ts'
import { hasAllWords } from '../../../components/text/has-all-words.ts'
import type { CatalogNamesQuery, ExplanationQuery, SetOverrideFragment } from '../../../generated/explanation.ts'

type Item = NonNullable<ExplanationQuery['explanation']>['items'][number]
type CatalogFeature = NonNullable<CatalogNamesQuery['features']>[number]

export type Entitlement = NonNullable<Item['entitlement']>
export type Override = SetOverrideFragment

/** A feature with the subscriber's entitlement to it, and the reason. */
export type ExplainedFeature = Omit<Item, 'feature' | 'kind' | 'entitlement'> &
  CatalogFeature & {
    entitlement: Entitlement
    /** An override that starts later. */
    scheduled?: Override | undefined
  }

/**
 * Joins the explanation with the catalog: features in the vendor's order, then those without a position, by name. A feature
 * that was added between the two reads is left out until both have it. Items without an entitlement are left out, too: they
 * exist only for past times, for values that the log does not contain.
 */
export function joinWithCatalog(items: readonly Item[], catalog: readonly CatalogFeature[]): ExplainedFeature[] {
  const byKey = new Map(catalog.map((feature) => [feature.key, feature]))
  return items
    .flatMap(({ feature, entitlement, ...item }) => {
      const known = byKey.get(feature)
      return known && entitlement ? [{ ...item, entitlement, ...known }] : []
    })
    .sort(
      (one, other) =>
        comparePositions(one, other) || one.name.localeCompare(other.name) || (one.key < other.key ? -1 : 1),
    )
}

/** The features whose key or name contains the words, and whose value comes from the chosen source. */
export function filterExplained(
  features: readonly ExplainedFeature[],
  { q = '', source }: { q?: string | undefined; source?: Entitlement['source'] | undefined },
): ExplainedFeature[] {
  return features.filter(
    ({ key, name, entitlement }) =>
      (source === undefined || entitlement.source === source) && hasAllWords(q, key, name),
  )
}
