import { currentMs } from '../src/core/clock.ts'
import type { Metrics } from '../src/metrics/metrics.ts'
import type { EventFigures, WebhookFigures } from './jobs/count-events.ts'
import type { FinishedAttempt } from './record-attempts.ts'

const states = ['queued', 'retrying', 'paused', 'failed'] as const

/** Adds the worker's counts from the database to the metrics. Returns the function that sets new counts. */
export function addWebhookMetrics(metrics: Metrics): (figures: WebhookFigures) => void {
  let last: WebhookFigures = { ofOrganizations: [], endpointsPaused: 0 }
  metrics.webhookEvents.addSource(() => toReadings(metrics, last.ofOrganizations))
  metrics.webhookOldestDue.addSource(() => [
    { value: last.ofOrganizations.reduce((max, { oldestDueSeconds }) => Math.max(max, oldestDueSeconds), 0) },
  ])
  metrics.webhookEndpointsPaused.addSource(() => [{ value: last.endpointsPaused }])
  return (figures) => {
    last = figures
  }
}

function toReadings({ organizations }: Metrics, allFigures: readonly EventFigures[]) {
  const byName = Map.groupBy(allFigures, ({ organizationId }) => organizations?.nameOf(organizationId) ?? '')
  if (!organizations && byName.size === 0) byName.set('', [])
  return Array.from(byName).flatMap(([name, ofName]) =>
    states.map((state) => ({
      labels: { state, ...(organizations && { organization_id: name }) },
      value: ofName.reduce((sum, figures) => sum + figures[state], 0),
    })),
  )
}

/** Counts a finished attempt, and if it was acknowledged, measures the time since its event was queued. */
export function countAttempt(metrics: Metrics, attempt: FinishedAttempt): void {
  const { error, once, organizationId, queuedAt, startedAt, finishedAt } = attempt
  metrics.countAttempt(error === null ? 'delivered' : 'failed', organizationId)
  metrics.webhookAttemptDuration.observe((finishedAt - startedAt) / 1000)
  // Test events and resent events are not measured.
  if (error !== null || once || queuedAt === null) return
  metrics.changeToReceipt.observe(Math.max(0, currentMs() - queuedAt.getTime()) / 1000, 'webhook')
}
