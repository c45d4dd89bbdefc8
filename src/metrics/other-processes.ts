import { AggregatorRegistry } from 'prom-client'
import type { OrganizationNames } from './organization-names.ts'
import type { MetricsJson } from './registry.ts'

/** The metrics of a primary's other processes, and of those that have ended. */
export class OtherProcesses {
  readonly #organizations: OrganizationNames | null
  /** Without the counts of ended processes, the sums would fall, which Prometheus takes for a restart. */
  #ended: Promise<MetricsJson> = Promise.resolve([])

  constructor(organizations: OrganizationNames | null) {
    this.#organizations = organizations
  }

  keep(last: MetricsJson): void {
    const growing = this.#rename(last).filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
    this.#ended = this.#ended.then((counted) => AggregatorRegistry.aggregate([counted, growing]).getMetricsAsJSON())
  }

  /**
   * `asked`: the answers of the running processes. Called when they are asked, so that a process that ends meanwhile counts
   * once.
   */
  async read(asked: Promise<readonly MetricsJson[]>): Promise<MetricsJson[]> {
    const [ended, running] = await Promise.all([this.#ended, asked])
    return [ended, ...running.map((ofOne) => this.#rename(ofOne))]
  }

  /** Each process has its own first 1,000 organizations; the sum keeps no more than 1,000. */
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
