import type { Metrics } from '../src/metrics/metrics.ts'
import type { EventFigures, WebhookFigures } from './jobs/count-events.ts'

const states = ['queued', 'retrying', 'paused', 'failed'] as const

/** Adds what the worker counts in the database to the metrics. Returns the function that takes a new count. */
export function addWebhookFigures(metrics: Metrics): (found: WebhookFigures) => void {
  let last: WebhookFigures = { ofOrganizations: [], endpointsPaused: 0 }
  metrics.webhookEvents.from(() => toReadings(metrics, last.ofOrganizations))
  metrics.webhookOldestDue.from(() => [
    { value: last.ofOrganizations.reduce((most, { oldestDueSeconds }) => Math.max(most, oldestDueSeconds), 0) },
  ])
  metrics.webhookEndpointsPaused.from(() => [{ value: last.endpointsPaused }])
  return (found) => {
    last = found
  }
}

function toReadings({ organizations }: Metrics, counted: readonly EventFigures[]) {
  const byName = Map.groupBy(counted, ({ organizationId }) => organizations?.nameOf(organizationId) ?? '')
  if (!organizations && byName.size === 0) byName.set('', [])
  return Array.from(byName).flatMap(([name, ofName]) =>
    states.map((state) => ({
      labels: { state, ...(organizations && { organization_id: name }) },
      value: ofName.reduce((sum, figures) => sum + figures[state], 0),
    })),
  )
}
