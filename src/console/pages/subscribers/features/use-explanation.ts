import { useEffect } from 'react'
import { CatalogNamesDocument, ExplanationDocument } from '../../../generated/explanation.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { type ExplainedFeature, joinCatalog } from './explained.ts'

type Settings = { ifPlan?: string; at?: string | undefined; keepPrevious?: boolean }

/** Every feature of the catalog, with the subscriber's entitlement to it and the reason. It does not count as an eval. */
export function useExplanation(subscriberId: string, { ifPlan, at, keepPrevious = false }: Settings = {}) {
  const mayExplain = useMay('overrides:read')
  const mayReadCatalog = useMay('features:read')
  const variables = { subscriberId, ...(ifPlan !== undefined && { ifPlan }), ...(at !== undefined && { at }) }
  const explanation = useOrganizationQuery(ExplanationDocument, variables, { enabled: mayExplain, keepPrevious })
  const catalog = useOrganizationQuery(CatalogNamesDocument, {}, { enabled: mayReadCatalog })
  useRefetchAt(at === undefined ? explanation.data?.explanation.validUntil : null, explanation.refetch)
  return {
    data: explanation.data && catalog.data && join(explanation.data.explanation, catalog.data.features),
    error: explanation.error ?? catalog.error,
    refetch: () => Promise.all([explanation.refetch(), catalog.refetch()]),
  }
}

/** Browsers' timers overflow after some weeks; an open page is read again much sooner. */
const longestMs = 86_400_000

/** Reads again when the first override ends, so that an open page does not go on showing it. */
function useRefetchAt(moment: string | null | undefined, refetch: () => unknown): void {
  useEffect(() => {
    const waitMs = moment ? Date.parse(moment) - Date.now() : Number.POSITIVE_INFINITY
    if (waitMs < 0 || waitMs > longestMs) return
    const timer = setTimeout(refetch, waitMs + 1000)
    return () => clearTimeout(timer)
  }, [moment, refetch])
}

type Explanation = Parameters<typeof joinCatalog>[0]
type Catalog = Parameters<typeof joinCatalog>[1]

function join({ plan, items }: { plan: string | null; items: Explanation }, features: Catalog) {
  return { plan, features: joinCatalog(items, features) as readonly ExplainedFeature[] }
}
