import { overloadReasons } from '../core/errors.ts'
import { Counter, Gauge, Histogram } from './instruments.ts'
import { OrganizationNames } from './organization-names.ts'
import { ServerMetrics } from './server-metrics.ts'

/** Bounds for the duration of a request, in seconds. */
const requestBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Bounds for the time from a change to its receipt, in seconds; long enough for a webhook's later attempts. */
const freshnessBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 43200, 172800]

export const evalOutcomes = [
  'granted',
  'not_modified',
  'rate_limited',
  'allotment_used',
  'not_found',
  'invalid',
  'unauthorized',
  'forbidden',
  'unavailable',
] as const

export type EvalOutcome = (typeof evalOutcomes)[number]

const toLabelValues = (values: readonly string[]) => values.map((value) => [value])

/** The metrics of a process. Their names, labels and values are a part of the service's contract. */
export class Metrics extends ServerMetrics {
  /** Null unless the metrics of evals and webhooks have the label `organization_id`. */
  readonly organizations: OrganizationNames | null

  constructor({ perOrganization = false }: { perOrganization?: boolean } = {}) {
    super()
    this.organizations = perOrganization ? new OrganizationNames() : null
    const labels = (label: string) => (perOrganization ? [label, 'organization_id'] : [label])
    const shown = (values: readonly string[]) => (perOrganization ? [] : toLabelValues(values))
    this.evals = new Counter({
      name: 'evals_total',
      help: 'Evals by their outcome.',
      labels: labels('outcome'),
      shown: shown(evalOutcomes),
    })
    this.webhookAttempts = new Counter({
      name: 'webhook_attempts_total',
      help: 'Attempts to deliver an event to a webhook, by their outcome.',
      labels: labels('outcome'),
      shown: shown(['delivered', 'failed']),
    })
  }

  readonly operations = new Counter({
    name: 'operations_total',
    help: 'Finished requests for an operation, by its name, the API, whether it may write, and the code of the answer.',
    labels: ['operation', 'api', 'kind', 'code'],
  })
  readonly operationDuration = new Histogram({
    name: 'operation_duration_seconds',
    help: 'Duration of requests for an operation. Requests that follow changes or import last as long as the client wants.',
    labels: ['operation', 'api'],
    bounds: requestBounds,
  })

  readonly evals: Counter
  readonly evalDuration = new Histogram({
    name: 'eval_duration_seconds',
    help: 'How long evals took, refused ones included.',
    bounds: requestBounds,
  })
  readonly evalBatchSize = new Histogram({
    name: 'eval_batch_size',
    help: 'How many evals one statement answered.',
    bounds: [1, 2, 5, 10, 20, 50, 100, 200, 500],
  })
  readonly evalsUncounted = new Gauge({
    name: 'evals_uncounted',
    help: 'Evals that were answered while the database accepted no writes, and are not in its counts yet.',
  })
  readonly catalogReads = new Counter({
    name: 'catalog_reads_total',
    help: 'Catalogs that evals needed, by whether they were in memory (hit) or not (miss).',
    labels: ['result'],
    shown: toLabelValues(['hit', 'miss']),
  })

  readonly databaseConnections = new Gauge({
    name: 'database_connections',
    help: 'Connections of a pool that are busy or idle, and requests that wait for a connection.',
  })
  readonly databaseOutage = new Gauge({
    name: 'database_outage',
    help: '1 while the database does not answer, or does not accept writes.',
    aggregator: 'max',
  })
  readonly standbyUnready = new Gauge({
    name: 'standby_unready',
    help: '1 while the standby at STANDBY_DATABASE_URL could not replace a lost primary for evals.',
    aggregator: 'max',
  })
  readonly requestsWaiting = new Gauge({ name: 'requests_waiting', help: 'Requests that wait in a queue.' })
  readonly requestsRefused = new Counter({
    name: 'requests_refused_total',
    help: 'Requests that were refused to protect the process or its data, by reason.',
    labels: ['reason'],
    shown: toLabelValues(overloadReasons),
  })

  readonly webhookEvents = new Gauge({
    name: 'webhook_events',
    help: 'Events by state: queued, retrying, paused (because the webhook is paused), failed. Counted up to a million of each.',
    aggregator: 'max',
  })
  readonly webhookOldestDue = new Gauge({
    name: 'webhook_oldest_due_seconds',
    help: 'Time since the oldest due event became due; 0 if no event is due.',
    aggregator: 'max',
  })
  readonly webhookEndpointsPaused = new Gauge({
    name: 'webhook_endpoints_paused',
    help: 'Webhooks that are paused, by a person or because events ran out of attempts.',
    aggregator: 'max',
  })
  readonly webhookAttempts: Counter
  readonly webhookAttemptDuration = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'How long attempts to deliver an event took.',
    bounds: requestBounds,
  })
  readonly webhookLanesHeld = new Gauge({
    name: 'webhook_lanes_held',
    help: 'Organizations whose events this process sends.',
  })

  readonly changeToReceipt = new Histogram({
    name: 'change_to_receipt_seconds',
    help: 'From the commit of a change to the receipt of its notice: the 2xx of a webhook, or the sending to a follower.',
    labels: ['path'],
    shown: toLabelValues(['webhook', 'feed']),
    bounds: freshnessBounds,
  })
  readonly expiryLag = new Histogram({
    name: 'expiry_lag_seconds',
    help: "From an override's starts_at or expires_at to the queuing of its event.",
    bounds: freshnessBounds,
  })
  readonly auditChainsStuck = new Gauge({
    name: 'audit_chains_stuck',
    help: 'Audit logs whose chain cannot be extended, because its head is not signed with our key.',
  })
  readonly auditEntries = new Counter({
    name: 'audit_entries_total',
    help: 'Entries of the audit log by outcome. Each entry counts as pending first, unless it was rejected at once or is a line of an import.',
    labels: ['outcome'],
    shown: toLabelValues(['pending', 'responded', 'rejected', 'no_response']),
  })

  countEval(outcome: EvalOutcome, organizationId: string | null, evals = 1): void {
    if (this.organizations) this.evals.add(evals, outcome, this.organizations.nameOf(organizationId))
    else this.evals.add(evals, outcome)
  }

  countAttempt(outcome: 'delivered' | 'failed', organizationId: string): void {
    if (this.organizations) this.webhookAttempts.add(1, outcome, this.organizations.nameOf(organizationId))
    else this.webhookAttempts.add(1, outcome)
  }
}
