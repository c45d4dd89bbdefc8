import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { run, startServer, temporaryFolder } from '../start/server-process.ts'
import { findFreePort } from '../support/free-port.ts'
import { startCollector } from '../tracing/collector.ts'

const databaseEnv = { DATABASE_URL: inject('databaseUrl'), LOG_LEVEL: 'info' }

/** `env` makes a process append the name of each OpenTelemetry package that it loads to a file; `loaded` reads the names. */
function followPackages() {
  const file = join(temporaryFolder(), 'loaded')
  const hook = `import { registerHooks } from 'node:module'
    import { appendFileSync } from 'node:fs'
    appendFileSync(${JSON.stringify(file)}, '')
    registerHooks({ load(url, context, next) {
      const name = /@opentelemetry.([^/]+)/.exec(url)?.[1]
      if (name) appendFileSync(${JSON.stringify(file)}, name + '\\n')
      return next(url, context)
    } })`
  return {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
    loaded: () => new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean)),
  }
}

async function ask(url: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`${url}/org/features`, { headers })
  await response.text()
  return response.status
}

describe('a server without a trace exporter', () => {
  it('loads no package of OpenTelemetry', async () => {
    const { env, loaded } = followPackages()
    const server = await startServer({ args: ['api'], env: { ...databaseEnv, ...env } })

    expect(await ask(server.url)).toBe(401)
    expect([...loaded()]).toEqual([])
  })

  it.each([
    ['OTEL_SDK_DISABLED', 'true'],
    ['OTEL_TRACES_EXPORTER', 'none'],
  ])('loads no package with %s=%s either', async (name, value) => {
    const { env, loaded } = followPackages()
    const others = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', [name]: value }
    await startServer({ args: ['api'], env: { ...databaseEnv, ...env, ...others } })

    expect([...loaded()]).toEqual([])
  })
})

describe('a server with several processes', () => {
  it('sends the spans that still wait when it stops', async () => {
    const collector = await startCollector()
    const { env, loaded } = followPackages()
    const tracing = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_BSP_SCHEDULE_DELAY: '600000',
      PROCESSES: '2',
    }
    const server = await startServer({ args: ['api'], env: { ...databaseEnv, ...env, ...tracing } })
    const traceIds = Array.from({ length: 6 }, () => randomBytes(16).toString('hex'))
    for (const id of traceIds)
      await ask(server.url, { traceparent: `00-${id}-${'1'.repeat(16)}-01`, connection: 'close' })
    server.child.kill('SIGTERM')

    expect(await server.ended).toMatchObject({ code: 0 })
    expect(loaded()).toContain('sdk-trace')
    const requests = collector.spans.filter(({ name }) => name === 'GET /org/features')
    expect(requests.map(({ traceId }) => traceId).sort()).toEqual(traceIds.sort())
    expect(new Set(requests.map(({ resource }) => resource['service.name']))).toEqual(new Set(['entitlements-service']))
    await collector.close()
  })
})

describe('a collector that', () => {
  /** Accepts connections, and sends nothing. */
  async function startSilent(): Promise<number> {
    const server = createServer(() => {})
      .listen(0, '127.0.0.1')
      .unref()
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  it.each([
    ['cannot be reached', findFreePort],
    ['does not answer', startSilent],
  ])('%s does not delay answers or a stop, and causes one line in the log', async (_, findPort) => {
    const endpoint = `http://127.0.0.1:${await findPort()}`
    const tracing = {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '10',
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
    }
    const server = await startServer({ args: ['api'], env: { ...databaseEnv, ...tracing } })
    const isLost = () => server.stdout().match(/spans could not be sent, and are dropped/g) ?? []
    for (let asked = 0; asked < 500 && isLost().length === 0; asked++) expect(await ask(server.url)).toBe(401)
    for (let asked = 0; asked < 50; asked++) expect(await ask(server.url)).toBe(401)

    const stoppedAt = performance.now()
    server.child.kill('SIGTERM')
    const { code } = await server.ended
    expect(code).toBe(0)
    expect(performance.now() - stoppedAt).toBeLessThan(20_000)
    expect(isLost()).toHaveLength(1)
  })
})

it.each([
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
])('a server refuses to start with %s=%s', async (name, value) => {
  const { code, stderr } = await run({ env: { OTEL_TRACES_EXPORTER: 'otlp', [name]: value } }).ended

  expect(code).toBe(1)
  expect(stderr).toMatch(new RegExp(`^${name} must be `))
})
