import type { OrganizationNames } from './organization-names.ts'
import type { MetricsJson } from './registry.ts'

/** The metrics of a primary's other processes, including processes that have ended. */
export class OtherProcesses {
  readonly #organizations: OrganizationNames | null
  /** The counts of ended processes. Without them the sums would fall, which Prometheus would treat as a restart. */
  #endedMetrics: Promise<MetricsJson> = Promise.resolve([])

  constructor(organizations: OrganizationNames | null) {
    this.#organizations = organizations
  }

  addEnded(last: MetricsJson): void {
    const counts = this.#rename(last).filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
    this.#endedMetrics = this.#endedMetrics.then(async (counted) => {
      const { addUpMetrics } = await import('./registry.ts')
      return addUpMetrics([counted, counts])
    })
  }

  /**
   * `answers` resolves to the metrics of the running processes. Call this in the same step that asks the processes, so that a
   * process that ends meanwhile counts once.
   */
  async read(answers: Promise<readonly MetricsJson[]>): Promise<MetricsJson[]> {
    const [ended, running] = await Promise.all([this.#endedMetrics, answers])
    return [ended, ...running.map((ofOne) => this.#rename(ofOne))]
  }

  /** Limits the organizations of all processes together to 1,000, because each process may have 1,000 different ones. */
  #rename(metrics: MetricsJson): MetricsJson {
    const organizations = this.#organizations
    if (!organizations) return metrics
    return metrics.map((metric) => ({
      ...metric,
      values: metric.values.map((value) => {
        const { organization_id: id } = value.labels
        return id ? { ...value, labels: { ...value.labels, organization_id: organizations.nameOf(String(id)) } } : value
      }),
    }))
  }
}
