import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { createToken } from '../subscriber-tokens/token-subject.ts'
import { type Caller, startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await startService()

const page = readFileSync('docs/guides/openfeature.md', 'utf8')
const [inBackend = '', inBrowser = ''] = Array.from(page.matchAll(/```js\n([\s\S]*?)```/g), ([, code]) => code)

let product: Caller
beforeAll(async () => {
  const admin = await service.organization()
  const setup = vendor(admin)
  await setup.feature('export')
  await setup.feature('seats', { kind: 'limit' })
  await setup.feature('region', { kind: 'config', value_type: 'string' })
  await setup.plan('pro', { export: { kind: 'flag' }, seats: { kind: 'limit', limit: 5 } })
  await setup.subscriber('cust_4711')
  await setup.subscribe('cust_4711', 'pro')
  product = await service.member(admin.organizationId, 'evaluator')
})

/** Runs the code in a process of its own; resolves to the lines that it prints. */
async function run(code: string): Promise<string[]> {
  const env = { ...process.env, ENTITLEMENTS_URL: service.url, ENTITLEMENTS_API_KEY: product.key }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env })
  return stdout.trim().split('\n')
}

it('the code for a backend in docs/guides/openfeature.md reads a flag, a limit and a default', async () => {
  expect(await run(inBackend)).toEqual(['true', '5', 'eu-west'])
})

it('the code for a browser in docs/guides/openfeature.md reads a flag with a token', async () => {
  const token = await createToken(product, 'cust_4711')
  const backend = `globalThis.tokenFromYourBackend = async () => '${token}'\n`
  const code = inBrowser.replace('http://127.0.0.1:4000', service.url)

  expect(await run(`${code}\nawait OpenFeature.close()`.replace('const provider', `${backend}const provider`))).toEqual(
    ['true'],
  )
})
