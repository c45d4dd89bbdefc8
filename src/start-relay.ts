import cluster from 'node:cluster'
import { loadRelayConfig, type RelayConfig } from './config.ts'
import { keyVariable, readKeyVariable } from './core/key-variable.ts'
import { printNote } from './core/print.ts'
import { StartupError } from './core/startup-error.ts'
import { version } from './core/version.ts'
import { closeGracefully } from './http/end-connections.ts'
import { ensureAddressFree, type ListenAddress, listen } from './listen.ts'
import { createLog } from './logging/log.ts'
import { addServer } from './measure.ts'
import { OtherProcesses } from './metrics/other-processes.ts'
import type { MetricsJson } from './metrics/registry.ts'
import { ApiProcesses } from './processes/api-processes.ts'
import { answerPrimary, sendLastAnswer, sendToPrimary } from './processes/primary.ts'
import { createRelay } from './relay/relay.ts'
import type { StartedService, StartOptions } from './start.ts'

type RelayOptions = Pick<StartOptions, 'started' | 'signal' | 'useLogger'>

/** The same time limit as for the API processes of the service: see start.ts. */
const drainMs = 5000

/** Starts a relay, and resolves once it answers. It starts with stored answers even if the upstream is unavailable. */
export async function startRelay(words: readonly string[], options: RelayOptions): Promise<StartedService> {
  if (words[0] !== undefined) throw new StartupError(`${words[0]} is not an option of the relay, which has no options.`)
  const { started, signal, useLogger } = options
  const { env, warning } = readKeyVariable(process.env)
  const config = loadRelayConfig(env)
  const { logger, end } = createLog({ level: config.logLevel, format: config.logFormat })
  started.defer(end)
  useLogger(logger)
  const { host, port, metricsHost, metricsPort } = config
  const listenAddress: ListenAddress = { host, port, variable: 'PORT' }
  const metricsAddress: ListenAddress | null =
    metricsPort === undefined
      ? null
      : { host: metricsHost, port: metricsPort, variable: 'METRICS_PORT', hostVariable: 'METRICS_HOST' }
  if (cluster.isWorker) return serve({ config, logger, listenAddress, metricsAddress, ...options })
  if (warning) logger.warn({ variable: keyVariable }, warning)
  for (const each of [listenAddress, metricsAddress]) await ensureAddressFree(each)
  if (config.processes === 1) return serve({ config, logger, listenAddress, metricsAddress, ...options })

  const others = new OtherProcesses(null)
  const onEnded = (last: unknown) => others.addEnded(last as MetricsJson)
  const processes = new ApiProcesses({ command: 'relay', count: config.processes, logger, env: {}, onEnded })
  const url = await processes.startUntilEnd({ signal, started })
  const readAll = () => others.read(processes.ask() as Promise<MetricsJson[]>)
  if (metricsAddress) await serveMetrics(metricsAddress, started, readAll)
  welcome(config, url)
  return { shutdownGraceMs: config.shutdownGraceMs, restart: () => processes.restart() }
}

type ServeOptions = RelayOptions & {
  config: RelayConfig
  logger: Parameters<StartOptions['useLogger']>[0]
  listenAddress: ListenAddress
  metricsAddress: ListenAddress | null
}

async function serve({
  config,
  logger,
  listenAddress,
  metricsAddress,
  started,
  signal,
}: ServeOptions): Promise<StartedService> {
  const isOneOfSeveral = cluster.isWorker
  if (isOneOfSeveral) started.defer(sendLastAnswer)
  const { app, metrics } = await createRelay({ config, logger, stopping: signal })
  started.defer(() => app.close())
  metrics.buildInfo.addSource(() => [{ labels: { version, node: process.version }, value: 1 }])
  addServer(metrics, app)
  signal.throwIfAborted()
  const url = await listen(app, listenAddress)
  const { shutdownGraceMs } = config
  const read = metricsAddress && (await import('./metrics/registry.ts')).metricsReader(metrics)
  if (!isOneOfSeveral) {
    if (read) await serveMetrics(metricsAddress, started, async () => [await read()])
    welcome(config, url)
    return { shutdownGraceMs }
  }
  if (read) answerPrimary(read)
  void sendToPrimary({ kind: 'ready', url })
  return { shutdownGraceMs, leave: () => closeGracefully(app, Math.max(shutdownGraceMs, drainMs)) }
}

async function serveMetrics(
  listenAddress: ListenAddress,
  started: AsyncDisposableStack,
  read: () => Promise<readonly MetricsJson[]>,
): Promise<void> {
  const { createMetricsApp } = await import('./metrics/registry.ts')
  const app = createMetricsApp(read)
  started.defer(() => app.close())
  printNote(`The metrics are at ${await listen(app, listenAddress)}/metrics`)
}

function welcome({ upstreamUrl, tokens }: RelayConfig, url: string): void {
  const callers = tokens.length === 0 ? 'Anyone on this machine may call it' : 'Callers send one of RELAY_TOKENS'
  printNote(`The relay of ${upstreamUrl} answers at ${url}. ${callers}.`)
}
