import { Live } from '../../components/feedback/live.tsx'
import { useCounts, useDeliveries, useUsage, useWebhook } from './reads.ts'

/** Says that the page refreshes itself, unless a read fails. */
export function OverviewLive() {
  const reads = [useCounts(), useUsage(), useDeliveries(), useWebhook()]
  return reads.some(({ error }) => error) ? null : <Live />
}
