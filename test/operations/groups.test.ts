import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setInstallationName, subscriberTokenPrefix } from '../../src/access/installation.ts'
import { openStream } from '../changes/event-stream.ts'
import { root } from '../start/server-process.ts'
import { createTokenSubject, tokenSubjectClient } from '../subscriber-tokens/token-subject.ts'
import { atEnd } from '../support/at-end.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { findProxy, startProxyProgram } from '../support/proxy-program.ts'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { type Caller, send, startService } from '../support/service.ts'

/* Tests the configurations of docs/operations/groups.md with real proxies in front of two installations. */

const startInstallation = async (name = '') =>
  startService({ DATABASE_URL: await createOwnDatabase(), ...(name && { INSTALLATION: name }) })
const [first, b2] = [await startInstallation(), await startInstallation('b2')]

setInstallationName('b2')
/** A caller whose key names its installation, b2. The table sends its requests to `first`, where the key is unknown. */
const movedFromB2 = await b2.organization()
setInstallationName(undefined)
/** A token subject, and a product whose key prefix is in the table. Their requests go to `b2`, which knows neither of them. */
const moved = await createTokenSubject(first)
const linesOf = ({ key, organizationId }: Caller, made: string, installation: string) => [
  `# ${organizationId}`,
  ...[key.slice(0, 12), subscriberTokenPrefix(made, organizationId)].map((each) => `${each} ${installation}`),
]
/** The lines of each move, one after the other; the last one moves the organization back. */
const moves = [linesOf(movedFromB2, '', 'b2'), linesOf(moved.product, '', 'b2'), linesOf(movedFromB2, 'b2', 'first')]

/** Runs the page's script; `echo reloaded` stands for the command that reloads the proxy. */
function reroute(proxy: keyof typeof proxies, table: string): void {
  for (const lines of moves) {
    const args = [join(root, 'docs/operations/groups.reroute.sh'), proxy, table, 'echo', 'reloaded']
    const { stdout, stderr } = spawnSync('sh', args, { input: `${lines.join('\n')}\n`, encoding: 'utf8' })
    expect(stdout, stderr).toBe('reloaded\n')
  }
}

const template = (name: string) => readFileSync(join(root, 'docs/operations', name), 'utf8')
const addressOf = ({ url }: { url: string }) => new URL(url).host

function withAddresses(text: string): string {
  return text
    .replaceAll('10.0.1.10:4000', addressOf(first))
    .replaceAll('10.0.2.10:4000', addressOf(b2))
    .replaceAll(/^ *server.* 10\.0.*\n/gm, '')
}

function haproxyFile(port: number, folder: string): string {
  const map = join(folder, 'routes.map')
  writeFileSync(map, template('groups.routes.map'))
  reroute('haproxy', map)
  return withAddresses(template('groups.haproxy.cfg'))
    .replace(/bind :443 ssl .*/, `bind 127.0.0.1:${port}`)
    .replace('/etc/haproxy/routes.map', map)
}

function nginxFile(port: number, folder: string): string {
  const map = join(folder, 'moved.map')
  writeFileSync(map, '')
  reroute('nginx', map)
  return withAddresses(template('groups.nginx.conf'))
    .replace(/listen 443 ssl;\n/, `listen 127.0.0.1:${port};\n`)
    .replaceAll(/^ *ssl_.*\n/gm, '')
    .replace('/etc/nginx/moved.map', map)
}

const proxies = { haproxy: haproxyFile, nginx: nginxFile }

describe.each(Object.keys(proxies) as (keyof typeof proxies)[])('%s in front of two installations', (name) => {
  const isMissing = findProxy(name) === null

  const skipped = isMissing ? ` (skipped: ${name} is not installed)` : ''

  it.skipIf(isMissing)(`routes products by their credential, and people by the host name${skipped}`, async () => {
    const { url, end } = await startProxyProgram(name, proxies[name])
    atEnd(end)
    // Each proxy gets its own subscribers, because a subscriber's tokens have five evals per second.
    setInstallationName('b2')
    const ofB2 = await createTokenSubject(b2)
    setInstallationName(undefined)
    const ofFirst = await createTokenSubject(first)
    const path = '/org/subscribers/acme/entitlements'
    const flags = '/ofrep/v1/evaluate/flags'
    const body = { context: { targetingKey: 'acme' } }

    for (const [installation, { product, tokenSubject }] of [['', ofFirst] as const, ['b2', ofB2] as const]) {
      // Both installations run in this process, which can have one name at a time.
      setInstallationName(installation)
      const byKey = { 'x-api-key': product.key }
      const ask = async (method: string, at: string, headers: Record<string, string>, sent?: unknown) =>
        (await send(url + at, method, sent, headers)).status
      const through = tokenSubjectClient({ url }, tokenSubject.token)

      expect(await ask('GET', path, byKey)).toBe(200)
      expect(await ask('POST', '/graphql', byKey, { query: '{ organization { name } }' })).toBe(200)
      expect(await ask('POST', flags, { authorization: `Bearer ${product.key}` }, body)).toBe(200)
      expect((await through.snapshot()).status).toBe(200)
      expect(await ask('POST', flags, { 'x-api-key': tokenSubject.token }, body)).toBe(200)
      const bulk = await send(url + flags, 'POST', body, through.headers)
      const { pathname, search } = new URL(bulk.body.eventStreams[0].url)
      const stream = await openStream(url + pathname + search, {})
      expect(stream.status).toBe(200)
      await stream.leave()
    }

    setInstallationName(undefined)
    expect((await moved.tokenSubject.snapshot()).status).toBe(200)
    expect((await send(url + path, 'GET', undefined, { 'x-api-key': moved.product.key })).status).toBe(401)
    expect((await tokenSubjectClient({ url }, moved.tokenSubject.token).snapshot()).status).toBe(401)

    expect((await movedFromB2.rest('GET', '/org')).status).toBe(200)
    expect((await send(`${url}/org`, 'GET', undefined, { 'x-api-key': movedFromB2.key })).status).toBe(401)

    const atHost = async (host: string, key: string) =>
      (await sendRaw(url, rawRequest('GET', path, { host, 'x-api-key': key }))).status
    expect(await atHost('b2.entitlements.example.com', ofB2.product.key)).toBe(200)
    expect(await atHost('first.entitlements.example.com', ofB2.product.key)).toBe(401)
    expect(await atHost('b2.entitlements.example.com', ofFirst.product.key)).toBe(401)
  })
})
