import { useQuery } from '@tanstack/react-query'
import { isServerError } from '../../api/errors.ts'
import { addDays } from '../../components/text/calendar.ts'
import { useNow } from '../../components/text/use-now.ts'
import {
  AskedFeaturesDocument,
  DeliveryHealthDocument,
  EvalUsageDocument,
  FirstStepsDocument,
  OverviewCountsDocument,
  OverviewWebhookDocument,
  UnusedKeysDocument,
} from '../../generated/overview.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { request } from '../../session/request.ts'
import { useMay } from '../../session/viewer.ts'
import { unusedDays, type Webhook } from './problems.ts'
import { deliveryVariables, usageVariables } from './variables.ts'

/*
 * The reads of the overview. Its sections share them, and they are repeated while the page is visible.
 */

const failureRetryMs = 5_000

/** How often each read is repeated: deliveries most often, since people wait for them. A failed read is repeated sooner. */
export const pollIntervals = { deliveries: pollEvery(10_000), changes: pollEvery(20_000), rest: pollEvery(60_000) }

function pollEvery(ms: number) {
  return ({ state }: { state: { error: Error | null } }) => (state.error ? failureRetryMs : ms)
}

export function useToday(): string {
  return useNow().toISOString().slice(0, 10)
}

export function useCounts() {
  return useOrganizationQuery(OverviewCountsDocument, {}, { refetchInterval: pollIntervals.rest })
}

export function useUsage() {
  return useOrganizationQuery(EvalUsageDocument, usageVariables(useNow()), {
    refetchInterval: pollIntervals.rest,
    keepPrevious: true,
  })
}

/** How often each feature was asked for this month, and the names of all features. */
export function useRequestedFeatures() {
  return useOrganizationQuery(AskedFeaturesDocument, {}, { refetchInterval: pollIntervals.rest })
}

/** The state of the steps to the first check. */
export function useFirstSteps({ enabled = true } = {}) {
  return useOrganizationQuery(FirstStepsDocument, {}, { enabled, refetchInterval: pollIntervals.deliveries })
}

/** The webhook; null if there is none, which is not an error here. */
export function useWebhook() {
  const organizationId = useOrganizationId()
  return useQuery({
    queryKey: [organizationId, OverviewWebhookDocument.name] as const,
    queryFn: async ({ signal }): Promise<Webhook | null> => {
      try {
        return (await request(OverviewWebhookDocument, {}, { organizationId, signal })).webhook
      } catch (error) {
        if (isServerError(error, 'NOT_FOUND')) return null
        throw error
      }
    },
    enabled: useMay('webhooks:read'),
    refetchInterval: pollIntervals.deliveries,
  })
}

export function useDeliveries() {
  const enabled = useMay('webhooks:read')
  return useOrganizationQuery(DeliveryHealthDocument, deliveryVariables(useNow()), {
    enabled,
    refetchInterval: pollIntervals.deliveries,
    keepPrevious: true,
  })
}

/** Service accounts with a key that has not been used for `unusedDays` whole days. */
export function useUnusedKeys() {
  const enabled = useMay('service-accounts:read')
  const unusedSince = `${addDays(useToday(), -unusedDays)}T00:00:00.000Z`
  return useOrganizationQuery(UnusedKeysDocument, { unusedSince }, { enabled, refetchInterval: pollIntervals.rest })
}
