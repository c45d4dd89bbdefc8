/** The metrics with their labels. The names are public: operators' dashboards and alerts use them. */
export const namesWithLabels = [
  'audit_chains_stuck',
  'audit_entries_total{outcome}',
  'build_info{version,node}',
  'catalog_reads_total{result}',
  'change_to_receipt_seconds{path}',
  'database_connections{pool,state}',
  'database_outage',
  'eval_batch_size',
  'eval_duration_seconds',
  'evals_total{outcome}',
  'evals_uncounted',
  'expiry_lag_seconds',
  'followers',
  'http_connections',
  'operation_duration_seconds{operation,api}',
  'operations_total{operation,api,kind,code}',
  'requests_refused_total{reason}',
  'requests_waiting',
  'standby_unready',
  'webhook_attempt_duration_seconds',
  'webhook_attempts_total{outcome}',
  'webhook_endpoints_paused',
  'webhook_events{state}',
  'webhook_lanes_held',
  'webhook_oldest_due_seconds',
]

export function withLabels(name: string, labels: readonly string[]): string {
  return labels.length === 0 ? name : `${name}{${labels.join()}}`
}
