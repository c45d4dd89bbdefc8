import { Counter, Gauge } from '../metrics/instruments.ts'
import { ServerMetrics } from '../metrics/server-metrics.ts'
import { answerSources } from './answers.ts'

/** The metrics of a relay. Their names, labels and values are a part of its contract. */
export class RelayMetrics extends ServerMetrics {
  readonly answers = new Counter({
    name: 'relay_answers_total',
    help: 'Answers by their source.',
    labels: ['from'],
    shown: answerSources.map((from) => [from]),
  })
  readonly refusals = new Counter({
    name: 'relay_refusals_total',
    help: 'Refused requests about subscribers, by error code.',
    labels: ['code'],
    shown: [['SERVICE_UNAVAILABLE']],
  })
  readonly subscribers = new Gauge({ name: 'relay_subscribers', help: 'Subscribers in the cache.' })
  readonly bytes = new Gauge({ name: 'relay_bytes', help: 'Approximate memory of the cached answers.' })
  readonly silence = new Gauge({
    name: 'relay_upstream_silence_seconds',
    help: 'Time since the upstream last confirmed that the relay has received every change.',
    aggregator: 'max',
  })
}
