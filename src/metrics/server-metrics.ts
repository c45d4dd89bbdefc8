import { Gauge } from './instruments.ts'

/** The metrics that the service and a relay have in common. */
export class ServerMetrics {
  readonly buildInfo = new Gauge({
    name: 'build_info',
    help: 'Always 1; its labels are the versions of the service and of Node.',
    aggregator: 'first',
  })
  readonly httpConnections = new Gauge({ name: 'http_connections', help: 'Open connections of clients.' })
  readonly followers = new Gauge({ name: 'followers', help: 'Streams and waiting polls of changes.' })
}
