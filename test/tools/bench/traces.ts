import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { measureObserverCost, type ObserverCostOptions } from './observer-cost.ts'

/** Parts of the traces that are recorded. */
const ratios = ['0.01', '1']

/** Compares checks without and with traces, a part of which is sent to a collector that drops them. Yields lines to print. */
export async function* runTraces(options: ObserverCostOptions): AsyncGenerator<string> {
  let bytes = 0
  const collector = createServer((request, response) => {
    request.on('data', (chunk) => {
      bytes += chunk.length
    })
    request.on('end', () => response.end())
  })
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  try {
    for (const ratio of ratios) {
      bytes = 0
      const { table, rate, cpu } = await measureObserverCost(options, {
        name: 'with traces',
        env: {
          OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
          OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
          OTEL_TRACES_SAMPLER_ARG: ratio,
        },
      })
      if (bytes === 0) throw new Error('The collector got no spans.')
      yield table
      yield `recording ${ratio} of the traces, checks keep ${rate} of their rate (median), and ${cpu} by processor time; ${(bytes / 1e6).toFixed(1)} MB of spans`
    }
  } finally {
    collector.closeAllConnections()
    collector.close()
  }
}
