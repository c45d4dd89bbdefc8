import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { inherited } from '../support/inherited.ts'
import { type Caller, startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await startService()
const guide = readFileSync('docs/guides/gate-your-first-feature.md', 'utf8')

/** The code that the guide marks with `<!-- runs: NAME -->`. */
function codeOf(name: string): string {
  const [, code] = new RegExp(`<!-- runs: ${name} -->\n\`\`\`js\n([\\s\\S]*?)\`\`\``).exec(guide) ?? []
  if (code === undefined) throw new Error(`The guide has no code for ${name}.`)
  return code
}

/** Writes the code where the packages of this repository are found. Its client is the one of this repository. */
async function writeServer(name: string): Promise<string> {
  const cache = resolve('node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'guide-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'server.mjs')
  const client = JSON.stringify(resolve('src/client/index.ts'))
  await writeFile(file, codeOf(name).replace("'entitlements-client'", client))
  return file
}

/** Starts one process of the product, as the guide does; resolves to its address once it answers. */
async function startProcess(file: string, apiKey: string): Promise<string> {
  const port = await findFreePort()
  const env = { ...inherited, ENTITLEMENTS_URL: service.url, ENTITLEMENTS_API_KEY: apiKey, PORT: `${port}` }
  const child: ChildProcess = spawn(process.execPath, [file], { env, stdio: 'inherit' })
  onTestFinished(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const url = `http://127.0.0.1:${port}`
  await expect.poll(() => statusOf(`${url}/seats`)).toBe(200)
  return url
}

function statusOf(url: string): Promise<number> {
  const asked = fetch(url, { headers: { 'x-customer': 'cust_4711' } })
  return asked.then(({ status }) => status).catch(() => 0)
}

async function bodyOf(url: string, customer = 'cust_4711'): Promise<string> {
  return (await fetch(url, { headers: { 'x-customer': customer } })).text()
}

async function catalogOf(caller: Caller): Promise<void> {
  const { feature, plan, subscriber, subscribe } = vendor(caller)
  await feature('export')
  await feature('seats', { kind: 'limit' })
  await plan('pro', { seats: { kind: 'limit', limit: 5 } })
  await subscriber('cust_4711')
  await subscribe('cust_4711', 'pro')
}

describe.each(['fastify', 'express'])('the code for %s in the first guide', (name) => {
  it('gates a route in two processes, and both hear of a change of the plan', async () => {
    const caller = await service.organization()
    await catalogOf(caller)
    const product = await service.member(caller.organizationId, 'evaluator')
    const file = await writeServer(name)
    const urls = await Promise.all([startProcess(file, product.key), startProcess(file, product.key)])

    for (const url of urls) {
      expect(await statusOf(`${url}/export`)).toBe(403)
      expect(await bodyOf(`${url}/seats`)).toBe('{"seats":5}')
      expect(await bodyOf(`${url}/seats`, 'nobody')).toBe('{"seats":0}')
    }
    const grants = { seats: { kind: 'limit', limit: 8 }, export: { kind: 'flag' } }
    expect((await caller.rest('PATCH', '/org/plans/pro', { grants })).status).toBe(200)

    for (const url of urls) {
      await expect.poll(() => statusOf(`${url}/export`)).toBe(200)
      expect(await bodyOf(`${url}/export`)).toBe('id,name\n1,Widget\n')
      expect(await bodyOf(`${url}/seats`)).toBe('{"seats":8}')
    }
  })
})
