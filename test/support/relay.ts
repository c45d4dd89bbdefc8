import { loadRelayConfig } from '../../src/config.ts'
import { listen } from '../../src/listen.ts'
import { createLog } from '../../src/logging/log.ts'
import { createRelay, type Relay } from '../../src/relay/relay.ts'
import { relayEnvironment } from '../../src/relay/upstream.ts'
import { atEnd } from './at-end.ts'
import { type Caller, callerOf, type LogEntry } from './service.ts'

export const relayToken = 'relay-token-of-tests'

export type TestRelay = Relay & {
  url: string
  /** Calls the relay with `relayToken`. */
  caller: Caller
  /** The requests to the upstream, such as `POST /org/entitlements`. */
  upstreamRequests: string[]
  stop(): Promise<void>
  /** Advances its clock, as if the machine had slept. */
  sleep(ms: number): void
  /** Shortens the time that requests to the upstream may take, to 0.2 seconds: during an outage, each waits that long. */
  hurry(): void
  /** Ends `hurry`. */
  takeTime(): void
}

type Access = { baseUrl: string; apiKey: string }

/** A relay on its own port, whose callers send `relayToken`. Stops after the test or the file. */
export async function startRelay(
  { baseUrl, apiKey }: Access,
  env: Record<string, string> = {},
  log?: LogEntry[],
): Promise<TestRelay> {
  const config = loadRelayConfig({
    RELAY_UPSTREAM_URL: baseUrl,
    ENTITLEMENTS_API_KEY: apiKey,
    RELAY_TOKENS: relayToken,
    LOG_LEVEL: log ? 'info' : 'silent',
    ...env,
  })
  const stream = { write: (line: string) => void log?.push(JSON.parse(line)) }
  const { logger } = createLog({ level: config.logLevel, format: 'json', stream })
  const upstreamRequests: string[] = []
  const real = relayEnvironment()
  let sleptMs = 0
  let pace = 1
  const environment: typeof real = {
    ...real,
    now: () => real.now() + sleptMs,
    // The timers of the feed are background timers.
    later: (ms, run, isBackground) => real.later(isBackground ? ms : ms / pace, run, isBackground),
    fetch(url, init) {
      upstreamRequests.push(`${init.method ?? 'GET'} ${new URL(url).pathname}`)
      return real.fetch(url, init)
    },
  }
  const sleep = (ms: number) => {
    sleptMs += ms
  }
  const hurry = () => {
    pace = 10
  }
  const takeTime = () => {
    pace = 1
  }
  const stopping = new AbortController()
  const relay = await createRelay({ config, logger, stopping: stopping.signal, environment })
  const url = await listen(relay.app, { port: 0, host: '127.0.0.1', variable: 'PORT' })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopping.abort()
    stopped ??= relay.app.close()
    return stopped
  }
  atEnd(stop)
  const caller = callerOf(url, { organizationId: '', memberId: '', key: relayToken })
  return { ...relay, url, caller, upstreamRequests, stop, sleep, hurry, takeTime }
}
