import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { operationIdOf } from '../../rest/openapi/operation-id.ts'
import { restRoutes } from '../../rest/routes.ts'
import { atEnd } from '../support/at-end.ts'
import { builtScript } from '../support/built-service.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { startService } from '../support/service.ts'
import { grantOfEach, vendor } from '../support/vendor.ts'
import { commandLineFor } from './command-line.ts'

const service = await startService()
const main = builtScript('src/entitlements-cli/main.ts')

async function setUp(role: 'admin' | 'viewer', ...options: string[]) {
  const admin = await service.organization()
  const acme = vendor(admin)
  await acme.features()
  await acme.plan('pro', grantOfEach)
  await acme.subscriber('acme')
  await acme.subscribe('acme', 'pro')
  const { key } = role === 'admin' ? admin : await service.member(admin.organizationId, role)

  const client = new Client({ name: 'test', version: '1' })
  const env = { ...inheritedEnv, ENTITLEMENTS_URL: service.url, ENTITLEMENTS_API_KEY: key } as Record<string, string>
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [main, 'mcp', ...options], env, stderr: 'ignore' }),
  )
  atEnd(() => client.close())
  async function call(
    name: string,
    args: Record<string, unknown> = {},
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape.
  ): Promise<{ isError: boolean; text: string; body: any }> {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    const [{ text }] = content as [{ text: string }]
    return { isError: isError === true, text, body: isError ? null : JSON.parse(text) }
  }
  return { admin, acme, client, call }
}

/** The ids of the operations for keys that only read, or of those that may change something, from the service's own table. */
function operationsOf(isRead: boolean): string[] {
  const kinds = isRead ? ['read', 'eval', 'bulk_eval', 'follow'] : ['write', 'issue']
  return restRoutes
    .map(({ operation }) => operation)
    .filter(({ kind }) => kinds.includes(kind))
    .map(operationIdOf)
}

describe('mcp', () => {
  it('has every operation that only reads as a tool, with a schema', async () => {
    const { client } = await setUp('viewer')

    const { tools } = await client.listTools()

    const names = tools.map(({ name }) => name)
    expect(names.filter((name) => !operationsOf(true).includes(name))).toEqual([])
    expect(names).toEqual(
      expect.arrayContaining(['listFeatures', 'check', 'getEntitlements', 'previewPlanUpdate', 'getExplanation']),
    )
    expect(operationsOf(true).filter((name) => !names.includes(name) && !name.startsWith('evaluate'))).toEqual([])
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    for (const { name, description, inputSchema, annotations } of tools) {
      expect(description?.length, name).toBeGreaterThan(20)
      expect(annotations, name).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      expect(() => ajv.compile(inputSchema), name).not.toThrow()
    }
    const check = tools.find(({ name }) => name === 'check')
    expect(check?.inputSchema).toMatchObject({
      properties: { subscriber_id: { type: 'string' }, feature: { type: 'string' }, features: { type: 'array' } },
      required: ['subscriber_id'],
    })
  })

  it("returns the service's answers", async () => {
    const { acme, call } = await setUp('viewer')

    expect((await call('getPlan', { key: 'pro' })).body).toEqual(await acme.get('/org/plans/pro'))
    expect((await call('listSubscribers', { search: 'ac', limit: 1 })).body).toEqual(
      await acme.get('/org/subscribers?search=ac&limit=1'),
    )
    expect((await call('check', { subscriber_id: 'acme', features: ['seats'] })).body.entitlements).toMatchObject([
      { limit: 5 },
    ])
    expect((await call('previewPlanUpdate', { key: 'pro', grants: {} })).body).toMatchObject({
      subscribers: { value: 1 },
    })
  })

  it('ends when its client has closed the connection', async () => {
    const { key } = await service.organization('viewer')
    const { code, stderr } = await commandLineFor({ url: service.url, key }).run(['mcp'])

    expect(stderr).toBe(`Serving ${operationsOf(true).length} tools of ${service.url}, without writes.\n`)
    expect(code).toBe(0)
  })

  it('returns a refusal of the service as an error that says what to do next', async () => {
    const { call } = await setUp('viewer')

    expect(await call('getPlan', { key: 'gold' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^NOT_FOUND: .*gold/),
    })
    expect(await call('listAuditEvents')).toMatchObject({
      isError: true,
      text: expect.stringMatching('org:audit:read'),
    })
  })

  it('does not start with a key that the service refuses', async () => {
    const { run } = commandLineFor({ url: service.url, key: 'ent_none' })

    const { code, stderr } = await run(['mcp'])

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^The service at .* does not accept ENTITLEMENTS_API_KEY\. UNAUTHORIZED: .*\n$/),
    })
  })

  it('has no tool that writes, and runs no write, without --allow-writes', async () => {
    const { acme, call } = await setUp('admin')

    const { isError, text } = await call('updatePlan', { key: 'pro', name: 'Pro' })

    expect(isError).toBe(true)
    expect(text).toBe('There is no tool "updatePlan" here.')
    expect((await acme.get('/org/plans/pro')).name).toBe('pro')
  })

  it('with --allow-writes, also has tools that write, marked as such', async () => {
    const { acme, client, call } = await setUp('admin', '--allow-writes')

    const { tools } = await client.listTools()
    const answer = await call('updatePlan', { key: 'pro', grants: { seats: { kind: 'limit', limit: 9 } } })
    const removed = await call('deleteFeature', { key: 'sso' })

    const writes = tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name)
    expect(operationsOf(false).filter((name) => !writes.includes(name))).toEqual([])
    expect(writes.filter((name) => !operationsOf(false).includes(name))).toEqual([])
    const adding = tools.filter(({ annotations }) => annotations?.destructiveHint === false).map(({ name }) => name)
    expect(adding).toContain('createPlan')
    for (const name of ['updatePlan', 'archivePlan', 'putOverride', 'deletePlan']) expect(adding).not.toContain(name)
    expect(answer.body).toEqual(await acme.get('/org/plans/pro'))
    expect(answer.body.grants).toEqual({ seats: { kind: 'limit', limit: 9 } })
    expect(removed.body).toEqual({ done: true })
  })
})
