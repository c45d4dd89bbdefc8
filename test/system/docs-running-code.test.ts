import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Entitlements } from '../../src/client/index.ts'
import { findFreePort } from '../support/free-port.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { startProxy } from '../support/proxy.ts'
import { type Caller, startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await startService()
const guide = readFileSync('docs/guides/gate-your-first-feature.md', 'utf8')
const caching = readFileSync('docs/guides/caching-and-freshness.md', 'utf8')

/** The code that the guide marks with `<!-- runs: NAME -->`. */
function codeOf(name: string, text = guide): string {
  const [, code] = new RegExp(`<!-- runs: ${name} -->\n\`\`\`js\n([\\s\\S]*?)\`\`\``).exec(text) ?? []
  if (code === undefined) throw new Error(`The guide has no code for ${name}.`)
  return code
}

/** Writes the guide's code to a folder where it finds this repository's packages, and makes it import the client in `src`. */
async function writeServer(name: string): Promise<string> {
  const cache = resolve('node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'guide-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'server.mjs')
  const client = JSON.stringify(resolve('src/client/index.ts'))
  await writeFile(file, codeOf(name).replace(/'[^']*client'/, client))
  return file
}

/** Starts one process of the product, as the guide does; resolves to its address once it answers. */
async function startProcess(file: string, apiKey: string, serviceUrl = service.url): Promise<string> {
  const port = await findFreePort()
  const env = { ...inheritedEnv, ENTITLEMENTS_URL: serviceUrl, ENTITLEMENTS_API_KEY: apiKey, PORT: `${port}` }
  const child: ChildProcess = spawn(process.execPath, [file], { env, stdio: 'inherit' })
  onTestFinished(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const url = `http://127.0.0.1:${port}`
  await expect.poll(() => statusOf(`${url}/members`)).toBe(200)
  return url
}

function statusOf(url: string): Promise<number> {
  const asked = fetch(url, { headers: { 'x-customer': 'cust_1001' } })
  return asked.then(({ status }) => status).catch(() => 0)
}

async function bodyOf(url: string, customer = 'cust_1001'): Promise<string> {
  return (await fetch(url, { headers: { 'x-customer': customer } })).text()
}

async function createCatalog(caller: Caller): Promise<void> {
  const { feature, plan, subscriber, subscribe } = vendor(caller)
  await feature('reports')
  await feature('members', { kind: 'limit' })
  await plan('business', { members: { kind: 'limit', limit: 5 } })
  await subscriber('cust_1001')
  await subscribe('cust_1001', 'business')
}

describe.each(['fastify', 'express'])('the code for %s in the first guide', (name) => {
  it('gates a route in two processes, and both processes learn of a change of the plan', async () => {
    const caller = await service.organization()
    await createCatalog(caller)
    const product = await service.member(caller.organizationId, 'evaluator')
    const file = await writeServer(name)
    const urls = await Promise.all([startProcess(file, product.key), startProcess(file, product.key)])

    for (const url of urls) {
      // Until the client has its first answer, it denies.
      await expect.poll(() => bodyOf(`${url}/members`)).toBe('{"members":5}')
      expect(await statusOf(`${url}/reports`)).toBe(403)
      expect(await bodyOf(`${url}/members`, 'nobody')).toBe('{"members":0}')
    }
    const grants = { members: { kind: 'limit', limit: 8 }, reports: { kind: 'flag' } }
    expect((await caller.rest('PATCH', '/org/plans/business', { grants })).status).toBe(200)

    for (const url of urls) {
      await expect.poll(() => statusOf(`${url}/reports`)).toBe(200)
      expect(await bodyOf(`${url}/reports`)).toBe('id,name\n1,Widget\n')
      expect(await bodyOf(`${url}/members`)).toBe('{"members":8}')
    }
  })

  it('starts while the service is unavailable, and denies every check', async () => {
    const file = await writeServer(name)

    const url = await startProcess(file, 'ent_none', `http://127.0.0.1:${await findFreePort()}`)

    expect(await statusOf(`${url}/reports`)).toBe(403)
    expect(await bodyOf(`${url}/members`)).toBe('{"members":0}')
  })
})

it('the file store is restored after a restart while the service is unavailable, and leaves no incomplete file', async () => {
  const caller = await service.organization()
  await createCatalog(caller)
  const proxy = await startProxy(Number(new URL(service.url).port))
  onTestFinished(() => proxy.close())
  const folder = await mkdtemp(join(tmpdir(), 'guide-store-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const client = JSON.stringify(resolve('src/client/index.ts'))
  const code = codeOf('store', caching)
    .replace(/'[^']*client'/, client)
    .replace("'/var/lib/shop/entitlements'", JSON.stringify(join(folder, 'entitlements')))
  Object.assign(process.env, { ENTITLEMENTS_URL: `http://127.0.0.1:${proxy.port}`, ENTITLEMENTS_API_KEY: caller.key })
  const start = async (name: string): Promise<Entitlements> => {
    await writeFile(join(folder, name), code)
    const { entitlements } = await import(pathToFileURL(join(folder, name)).href)
    onTestFinished(() => entitlements.close())
    return entitlements
  }
  const first = await start('first.mjs')
  await expect.poll(() => first.limit('cust_1001', 'members')).toBe(5)
  await expect
    .poll(() => readdir(join(folder, 'entitlements')).catch(() => []))
    .toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])

  proxy.routeTo(null)

  // A client reads its store once, and waits only half a second for it.
  let restarts = 0
  const limitAfterRestart = async () => (await start(`again-${restarts++}.mjs`)).limit('cust_1001', 'members')
  await expect.poll(limitAfterRestart).toBe(5)
})
