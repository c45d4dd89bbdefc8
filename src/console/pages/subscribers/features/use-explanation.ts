import { useEffect } from 'react'
import { CatalogNamesDocument, ExplanationDocument } from '../../../generated/explanation.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { refresh, useOrganizationQuery } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { type ExplainedFeature, joinWithCatalog } from './explained.ts'

type Settings = {
  ifPlan?: string
  at?: string | undefined
  keepPrevious?: boolean
  /** The earliest end of an override according to the changes, which are read separately from the explanation. */
  firstEnd?: string | null
}

/** Every feature of the catalog, with the subscriber's entitlement to it and the reason. It does not count as an eval. */
export function useExplanation(
  subscriberId: string,
  { ifPlan, at, keepPrevious = false, firstEnd = null }: Settings = {},
) {
  const mayExplain = useMay('overrides:read')
  const mayReadCatalog = useMay('features:read')
  const variables = { subscriberId, ...(ifPlan !== undefined && { ifPlan }), ...(at !== undefined && { at }) }
  const explanation = useOrganizationQuery(ExplanationDocument, variables, { enabled: mayExplain, keepPrevious })
  const catalog = useOrganizationQuery(CatalogNamesDocument, {}, { enabled: mayReadCatalog })
  // Use the earlier of both ends, because either the explanation or the changes may have been read before an override
  // ended.
  const [moment] = [explanation.data?.explanation.validUntil, firstEnd].filter((end) => typeof end === 'string').sort()
  useRefreshAt(at === undefined ? moment : null)
  return {
    data: explanation.data && catalog.data && toExplainedFeatures(explanation.data.explanation, catalog.data.features),
    error: explanation.error ?? catalog.error,
    refetch: () => Promise.all([explanation.refetch(), catalog.refetch()]),
  }
}

/** A timer waits at most a day, because browsers' timers overflow after about 25 days. */
const maxTimerMs = 86_400_000

/**
 * Reads the page again when the first override ends, so that an open page does not continue to show the override. If the server
 * still returns that end, because the browser's clock is ahead, reads again each minute until it does not.
 */
function useRefreshAt(moment: string | null | undefined): void {
  const organizationId = useOrganizationId()
  useEffect(() => {
    if (!moment) return
    let timer: ReturnType<typeof setTimeout>
    const wait = (leastMs: number) => {
      const waitMs = Math.max(leastMs, Date.parse(moment) - Date.now() + 1000)
      timer = setTimeout(
        () => {
          void refresh(organizationId)
          wait(60_000)
        },
        Math.min(waitMs, maxTimerMs),
      )
    }
    wait(1000)
    return () => clearTimeout(timer)
  }, [moment, organizationId])
}

type Explanation = Parameters<typeof joinWithCatalog>[0]
type Catalog = Parameters<typeof joinWithCatalog>[1]

function toExplainedFeatures({ plan, items }: { plan: string | null; items: Explanation }, features: Catalog) {
  return {
    plan,
    features: joinWithCatalog(items, features) as readonly ExplainedFeature[],
    /** How many values of the past time are missing in the audit log. */
    unknown: items.filter(({ entitlement }) => !entitlement).length,
  }
}
