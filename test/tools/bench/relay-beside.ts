/** Checks of the service and of a relay beside other products: `npm run bench -- relay --products FOLDER`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../../src/database/embedded.ts'
import { findFreePort } from '../../support/free-port.ts'
import { nextCheckOf } from './exchanges.ts'
import { median } from './growth/line.ts'
import { type Exchange, runLoad } from './http-load.ts'
import { cpuMilliseconds, endWithProcess, nodeOf, root, type Service, startRelay } from './processes.ts'
import { toColumnTable } from './table.ts'

type Product = { name: string; port: number; pid: number; next: () => Exchange; stop: () => Promise<void> }

/** `folder` has node_modules with `@cerbos/cerbos-linux-x64` and `unleash-server`. */
type Options = { service: Service; key: string; folder: string; connections: number; durationMs: number }

const rounds = 5

export async function* runBeside({ service, key, folder, connections, durationMs }: Options): AsyncGenerator<string> {
  const next = () => nextCheckOf(key, 0)
  const relay = await startRelay(service, key)
  const products: Product[] = [
    { name: 'the service', port: service.port, pid: service.pid, next, stop: async () => {} },
    { name: 'a relay', ...relay, next },
  ]
  try {
    products.push(await startCerbos(folder))
    products.push(await startUnleash(folder))
    const results = products.map(() => [] as { perSecond: number; cpuMicros: number; p99Ms: number }[])
    for (let round = -1; round < rounds; round += 1) {
      for (const [index, { port, pid, next }] of products.entries()) {
        const before = await cpuMilliseconds(pid)
        const { perSecond, requests, p99Ms } = await runLoad({ port, connections, durationMs, next })
        const cpuMicros = (((await cpuMilliseconds(pid)) - before) * 1_000) / requests
        // The first round only warms up the products.
        if (round >= 0) results[index]?.push({ perSecond, cpuMicros, p99Ms })
      }
    }
    const rows = products.map(({ name }, index) => {
      const own = results[index] ?? []
      const middle = (field: 'perSecond' | 'cpuMicros' | 'p99Ms') => median(own.map((each) => each[field]))
      return [name, middle('perSecond').toFixed(0), middle('cpuMicros').toFixed(0), middle('p99Ms').toFixed(1)]
    })
    yield toColumnTable(['a check', 'a second', 'CPU µs', 'p99 ms'], rows)
  } finally {
    for (const { stop } of products.toReversed()) await stop()
  }
}

function post(path: string, body: object, authorization = ''): string {
  const text = JSON.stringify(body)
  const head = `POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n${authorization}`
  return `${head}Content-Length: ${text.length}\r\n\r\n${text}`
}

/** Asks Cerbos whether a customer on the plan "pro" may use a feature. The caller sends the plan. */
async function startCerbos(folder: string): Promise<Product> {
  const own = await mkdtemp(join(tmpdir(), 'bench-cerbos-'))
  await mkdir(join(own, 'policies'))
  await writeFile(
    join(own, 'policies', 'feature.yaml'),
    `apiVersion: api.cerbos.dev/v1
resourcePolicy:
  resource: feature
  version: default
  rules:
    - actions: [use]
      effect: EFFECT_ALLOW
      roles: [subscriber]
      condition: { match: { expr: request.principal.attr.plan == "pro" } }
`,
  )
  const [port, grpc] = [await findFreePort(), await findFreePort()]
  const settings = [
    ...['storage.driver=disk', `storage.disk.directory=${join(own, 'policies')}`, 'telemetry.disabled=true'],
    ...[`server.httpListenAddr=127.0.0.1:${port}`, `server.grpcListenAddr=127.0.0.1:${grpc}`],
  ]
  const program = join(folder, 'node_modules/@cerbos/cerbos-linux-x64/cerbos-linux-x64')
  const child = spawn(program, ['server', '--log-level=warn', ...settings.map((each) => `--set=${each}`)], {
    stdio: 'ignore',
  })
  endWithProcess(child)
  await untilOk(`http://127.0.0.1:${port}/_cerbos/health`)
  const request = post('/api/check/resources', {
    principal: { id: 'acme', roles: ['subscriber'], attr: { plan: 'pro' } },
    resources: [{ actions: ['use'], resource: { kind: 'feature', id: 'export' } }],
  })
  const faultOf = (_status: string, body: string) => (body.includes('EFFECT_ALLOW') ? null : `not allowed: ${body}`)
  return {
    name: 'Cerbos 0.55',
    port,
    pid: child.pid as number,
    next: () => ({ request, faultOf }),
    async stop() {
      await end(child)
      await rm(own, { recursive: true })
    },
  }
}

/** Asks Unleash whether a flag is on for a user. Its frontend API evaluates all flags; there is only one. */
async function startUnleash(folder: string): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-unleash-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const port = await findFreePort()
  const [admin, frontend] = ['*:*.bench-admin', 'default:development.bench-frontend']
  const child = spawn(nodeOf(root), [join(folder, 'node_modules/unleash-server/dist/server.js')], {
    env: {
      ...process.env,
      ...{
        DATABASE_URL: postgres.url,
        DATABASE_SSL: 'false',
        PORT: `${port}`,
        CHECK_VERSION: 'false',
        LOG_LEVEL: 'error',
      },
      ...{ INIT_ADMIN_API_TOKENS: admin, INIT_FRONTEND_API_TOKENS: frontend, SEND_TELEMETRY: 'false' },
    },
    stdio: 'ignore',
  })
  endWithProcess(child)
  const address = `http://127.0.0.1:${port}`
  await untilOk(`${address}/health`)
  const features = '/api/admin/projects/default/features'
  const send = async (path: string, body: object = {}) => {
    const headers = { authorization: admin, 'content-type': 'application/json' }
    const answer = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`Unleash answered ${answer.status} for ${path}: ${await answer.text()}`)
  }
  await send(features, { name: 'export', type: 'release' })
  const environment = `${features}/export/environments/development`
  await send(`${environment}/strategies`, { name: 'default', constraints: [], parameters: {} })
  await send(`${environment}/on`)
  const request = post('/api/frontend', { context: { userId: 'acme' } }, `Authorization: ${frontend}\r\n`)
  const faultOf = (_status: string, body: string) => (body.includes('"enabled":true') ? null : `not enabled: ${body}`)
  await untilEnabled(address, frontend)
  return {
    name: 'Unleash 8.2',
    port,
    pid: child.pid as number,
    next: () => ({ request, faultOf }),
    async stop() {
      await end(child)
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function untilEnabled(address: string, authorization: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const answer = await fetch(`${address}/api/frontend?userId=acme`, { headers: { authorization } })
    if ((await answer.text()).includes('"enabled":true')) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('Unleash does not show the flag')
}

async function untilOk(url: string): Promise<void> {
  for (let attempt = 0; attempt < 1_200; attempt += 1) {
    if ((await fetch(url).catch(() => null))?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} does not answer`)
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
