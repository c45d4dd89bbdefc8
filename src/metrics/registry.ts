import Fastify, { type FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import { Gauge, type Instrument } from './instruments.ts'

/* The only file that loads prom-client. Other files import it only if metrics must be served. */

/** A process's metrics at one time, as JSON that it can send to another process. */
export type MetricsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Returns a function that reads these metrics of this process, and prom-client's own metrics of the process and Node. */
export function metricsReader(metrics: object): () => Promise<MetricsJson> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // These gauges end in `_total` like counters, which Prometheus' own check refuses. Their values are sums of other metrics.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  const instruments = Object.values(metrics).filter((each): each is Instrument => each !== null && 'toJson' in each)
  for (const instrument of instruments) {
    if (instrument instanceof Gauge && !instrument.isRead) continue
    // A registry uses only these properties of a metric, as in prom-client's own aggregation.
    const metric = { name: instrument.name, get: async () => instrument.toJson() }
    registry.registerMetric(metric as unknown as Metric)
  }
  return () => registry.getMetricsAsJSON()
}

/** Renders the metrics of one process, or of several processes together: most values are added. */
export function renderMetrics(ofProcesses: readonly MetricsJson[]): Promise<string> {
  const isOne = ofProcesses.length === 1
  const metricsByProcess = ofProcesses.map((ofOne) =>
    // prom-client leaves out metrics that are meaningless for several processes, such as the start time.
    ofOne.map((each) => ({ ...each, aggregator: isOne ? 'first' : toSharedMetric(each) })),
  )
  return AggregatorRegistry.aggregate(metricsByProcess as MetricsJson[]).metrics()
}

/** Returns the maximum where prom-client averages, as for delays of event loops: an average would hide a blocked process. */
function toSharedMetric({ aggregator }: MetricsJson[number]): string {
  return aggregator === 'average' ? 'max' : aggregator
}

/** Adds up the metrics of several processes. */
export function addUpMetrics(ofProcesses: MetricsJson[]): Promise<MetricsJson> {
  return AggregatorRegistry.aggregate(ofProcesses).getMetricsAsJSON()
}

/** Serves only `GET /metrics`; does not listen yet. `read` returns the metrics of each process to include. */
export function createMetricsApp(read: () => Promise<readonly MetricsJson[]>): FastifyInstance {
  const app = Fastify({ logger: false, requestTimeout: 10_000, forceCloseConnections: true })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ status: 'not found' }))
  app.get('/metrics', async (_request, reply) =>
    reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await renderMetrics(await read())),
  )
  return app
}
