import { readFileSync } from 'node:fs'
import { findFreePort } from '../../../support/free-port.ts'
import { testMasterKey } from '../../../support/master-key.ts'
import { type ProxyName, startProxyProgram } from '../../../support/proxy-program.ts'
import { type ServerProcess, spawnApi } from '../../../support/spawn-service.ts'
import { createTenantIn } from '../../../support/tenants.ts'
import { Cluster } from '../cluster.ts'
import { untilInTime } from '../until-in-time.ts'
import { Clients, isReady } from './clients.ts'

/**
 * The proxy in front of the two processes, with its documented configuration; without a proxy, each process has a port that
 * clients use while it is ready, or both share one.
 */
type ProxySetup = {
  proxy: ProxyName
  configure: (addresses: [string, string]) => (port: number, folder: string) => string
}

const pages = new URL('../../../../docs/operations/', import.meta.url)
const template = (name: string) => readFileSync(new URL(name, pages), 'utf8')

const withoutTls = (text: string, port: number) =>
  text.replace(/listen 443 ssl;\n/, `listen 127.0.0.1:${port};\n`).replaceAll(/^ *ssl_.*\n/gm, '')

/** Removes the addresses of the second installation, where nothing listens. */
const withAddresses = (text: string, [one, other]: [string, string]) =>
  text
    .replaceAll('10.0.1.10:4000', one)
    .replaceAll('10.0.1.11:4000', other)
    .replaceAll('10.0.2.10:4000', one)
    .replaceAll(/^ *server.* 10\.0.*\n/gm, '')

export const frontends: Record<string, ProxySetup | null> = {
  'the ready port': null,
  'one port': null,
  'nginx.conf': {
    proxy: 'nginx',
    configure: (addresses) => (port) =>
      withoutTls(template('nginx.conf'), port)
        .replace('127.0.0.1:4000', addresses[0])
        .replace('127.0.0.1:4001', addresses[1]),
  },
  'groups.nginx.conf': {
    proxy: 'nginx',
    configure: (addresses) => (port) =>
      withoutTls(withAddresses(template('groups.nginx.conf'), addresses), port).replace(
        /^ *include .*moved.map;\n/m,
        '',
      ),
  },
  'groups.haproxy.cfg': {
    proxy: 'haproxy',
    configure: (addresses) => (port, folder) =>
      withAddresses(template('groups.haproxy.cfg'), addresses)
        .replace(/bind :443 ssl .*/, `bind 127.0.0.1:${port}`)
        .replace(/\S*map_beg\(.*?\)\S*/, 'first')
        .replaceAll('/etc/haproxy/routes.map', `${folder}/none`),
  },
}

export type Stops = { front: string; stops: number; requests: number; resets: number; failures: string[] }

/**
 * On a port that both processes share, the system resets connections that it completes while a process closes the port
 * (docs/operations/upgrades.md): one in hundreds of stops, or a few at once if the process is suspended at this moment.
 */
export const maxResetsPerStop: Record<string, number> = { 'one port': 2 }

/** The API's own grace period, from the operations manual. */
const graceMs = 5000

/** Stops one of two processes after the other, while clients send requests through the front. */
export async function stopBehindFront(front: string, stops: number): Promise<Stops> {
  const cluster = await Cluster.start()
  const isShared = front === 'one port'
  const port = `${await findFreePort()}`
  const ports = [port, isShared ? port : `${await findFreePort()}`] as const
  const start = (port: string) =>
    spawnApi({
      DATABASE_URL: cluster.url,
      MASTER_KEY: testMasterKey,
      EVAL_RATE_LIMIT_PER_SECOND: '1000000',
      SHUTDOWN_GRACE_MS: `${graceMs}`,
      PORT: port,
      REUSE_PORT: `${isShared}`,
      TRUST_PROXY: '127.0.0.1',
    })
  const servers: ServerProcess[] = []
  let proxy: { url: string; end(): Promise<void> } | null = null
  try {
    for (const port of ports) servers.push(await start(port))
    const own = ports.map((port) => `http://127.0.0.1:${port}`)
    const with_ = frontends[front]
    const addresses: [string, string] = [`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`]
    if (with_) proxy = await startProxyProgram(with_.proxy, with_.configure(addresses))
    const tenant = await createTenantIn(cluster.url)
    await prepare(own[0] as string, tenant.headers)
    const clients = new Clients(proxy ? [proxy.url] : [...new Set(own)], tenant, { keeping: 12, opening: 12 })
    for (let stop = 0; stop < stops; stop++) {
      const index = stop % 2
      const sent = clients.sent
      await untilInTime(() => clients.sent > sent + 200, 'no requests are answered')
      const code = await servers[index]?.end('SIGTERM')
      if (code !== 0) clients.failures.push(`a process ended with ${code}`)
      const after = clients.sent
      await untilInTime(() => clients.sent > after + 200, 'no requests are answered')
      servers[index] = await start(ports[index as 0 | 1])
      await untilInTime(() => isReady(own[index] as string), 'a process is not ready')
    }
    await clients.end()
    const { sent: requests, resets, failures } = clients
    return { front, stops, requests, resets, failures }
  } finally {
    await proxy?.end()
    await Promise.all(servers.map((server) => server.end('SIGKILL')))
    await cluster.remove()
  }
}

async function prepare(url: string, headers: Record<string, string>): Promise<void> {
  const send = async (path: string, body: object) => {
    const all = { ...headers, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers: all, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
  }
  await send('/org/features', { key: 'seats', name: 'Seats', kind: 'limit' })
  await send('/org/subscribers', { subscriber_id: 'ann' })
}
