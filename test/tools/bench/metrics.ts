import { findFreePort } from '../../support/free-port.ts'
import { measureObserverCost, type ObserverCostOptions } from './observer-cost.ts'

/** The share of their rate that checks must keep when metrics are on. */
const aim = 0.97

/** Compares checks without and with metrics, which are requested once in each run. Yields lines to print. */
export async function* runMetrics(options: ObserverCostOptions): AsyncGenerator<string> {
  const metricsPort = await findFreePort()
  const during = async () => void (await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())
  const env = { METRICS_PORT: `${metricsPort}` }
  const { table, rate, cpu } = await measureObserverCost(options, { name: 'with metrics', env, during })
  yield table
  yield `with metrics, checks keep ${rate} of their rate (median; aim: ${aim}), and ${cpu} by processor time`
}
