import { Counter, Gauge } from '../metrics/instruments.ts'
import { ServerMetrics } from '../metrics/server-metrics.ts'
import { origins } from './answers.ts'

/** The metrics of a relay. Their names, labels and values are a part of its contract. */
export class RelayMetrics extends ServerMetrics {
  readonly answers = new Counter({
    name: 'relay_answers_total',
    help: 'Answers by where they came from.',
    labels: ['from'],
    shown: origins.map((from) => [from]),
  })
  readonly refusals = new Counter({
    name: 'relay_refusals_total',
    help: 'Requests about subscribers that were refused, by the code.',
    labels: ['code'],
    shown: [['SERVICE_UNAVAILABLE']],
  })
  readonly subscribers = new Gauge({ name: 'relay_subscribers', help: 'Subscribers that are remembered.' })
  readonly bytes = new Gauge({ name: 'relay_bytes', help: 'Approximate memory of what is remembered.' })
  readonly silence = new Gauge({
    name: 'relay_upstream_silence_seconds',
    help: 'Time since the upstream last said that every change was heard.',
    aggregator: 'max',
  })
}
