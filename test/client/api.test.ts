import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { describeRestApi } from '../../rest/openapi/document.ts'
import * as client from '../../src/client/api/index.ts'
import { createApi, EntitlementsError, NotFoundError, type Pages, type Schemas } from '../../src/client/api/index.ts'
import { printClientApi } from '../../src/tools/client-api/print-client-api.ts'
import { startClient } from '../support/client.ts'
import { failureOf, vendorWithPlan } from '../support/client-api.ts'
import { startFaultyProxy } from '../support/faulty-proxy.ts'
import { requestId } from '../support/matchers.ts'
import { signUp, trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService(trustedLoopback)
const baseUrl = service.url

/** The name and the code of a described error; its class has the same name. Other schemas have no code. */
function codeIn(name: string, schema: object): { name: string; code: string }[] {
  const { properties: { error } = {} } = schema as {
    properties?: { error?: { properties?: { code?: { const: string } } } }
  }
  const code = error?.properties?.code?.const
  return code === undefined ? [] : [{ name, code }]
}

it('the generated files are those that `npm run client:types` would write', async () => {
  const printed = [...(await printClientApi())]

  expect(printed.length).toBe(2)
  for (const [path, text] of printed) expect(readFileSync(path, 'utf8')).toBe(text)
})

describe('the client', () => {
  it('has a method for each operation that the service describes', () => {
    const described = Object.values(describeRestApi().paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )

    expect(described.length).toBeGreaterThan(80)
    expect(Object.keys(createApi({ baseUrl })).sort()).toEqual(described.sort())
  })

  it('sends values of the path, the query and the body from one object', async () => {
    const { api } = await vendorWithPlan(service)
    await api.createSubscriber({ subscriber_id: 'Cpc-📦-é', name: 'Globex' })
    await api.createSubscription({ subscriber_id: 'Cpc-📦-é', plan_id: 'pro' })

    const plan = await api.updatePlan({ key: 'pro', name: 'Professional' })
    const override = await api.putOverride({
      subscriber_id: 'Cpc-📦-é',
      feature_key: 'seats',
      kind: 'limit',
      limit: null,
    })
    const listed = await api.listOverrides({ subscriber_id: 'Cpc-📦-é', include_expired: true })
    const checked = await api.check({ subscriber_id: 'Cpc-📦-é', feature: 'seats' })
    const deleted = await api.deleteOverride({
      subscriber_id: 'Cpc-📦-é',
      feature_key: 'seats',
      expected_updated_at: override.updated_at,
    })

    expect(plan.name).toBe('Professional')
    expect(listed).toEqual({ overrides: [override] })
    expect(checked).toMatchObject({ feature: 'seats', limit: null, source: 'override' })
    expect(deleted).toBeUndefined()
    expect(await api.listOverrides({ subscriber_id: 'Cpc-📦-é' })).toEqual({ overrides: [] })
  })

  it('sends the keys of a map filter separately', async () => {
    const { api } = await vendorWithPlan(service)
    await api.createSubscriber({ subscriber_id: 'acme' })
    await api.updateSubscriber({ subscriber_id: 'acme', name: 'Acme' })
    await api.createSubscriber({ subscriber_id: 'globex' })

    const found = await api.listAuditEvents({ params: { subscriber_id: 'acme' } })

    expect(found.audit_events.map(({ params }) => params)).toEqual([{ subscriber_id: 'acme' }])
  })

  it('authenticates with a token instead of a key', async () => {
    const { api } = await vendorWithPlan(service)
    await api.createSubscriber({ subscriber_id: 'acme' })
    const { token } = await api.createSubscriberToken({ subscriber_id: 'acme' })
    const person = await signUp(service)

    const ofSubscriber = createApi({ baseUrl: `${baseUrl}/`, token: async () => token })
    const ofPerson = createApi({ baseUrl, token: person.token })

    expect(await ofSubscriber.getEntitlements({ subscriber_id: 'acme' })).toMatchObject({ subscriber_id: 'acme' })
    expect(await ofPerson.getUser()).toMatchObject({ email: person.email })
  })

  it('gets another token once the service refuses the current one', async () => {
    const { api } = await vendorWithPlan(service)
    await api.createSubscriber({ subscriber_id: 'acme' })
    const { token } = await api.createSubscriberToken({ subscriber_id: 'acme' })
    const tokens = ['ended', token]
    const { entitlements } = startClient({
      baseUrl,
      token: () => tokens.shift() ?? 'none is left',
      freshness: { seconds: 60 },
    })

    expect(await entitlements.api.getEntitlements({ subscriber_id: 'acme' })).toMatchObject({ subscriber_id: 'acme' })
    expect(await entitlements.api.getEntitlements({ subscriber_id: 'acme' })).toMatchObject({ subscriber_id: 'acme' })
    expect(tokens).toEqual([])
  })

  it.each(['', '.', '..'])('sends no request when a value of the path is %j', async (id) => {
    const { api, key } = await vendorWithPlan(service)

    const error = await failureOf(api.deleteSubscriber({ subscriber_id: id }))

    expect(error).toBeInstanceOf(client.ValidationError)
    expect(error).toMatchObject({ status: null, details: { fields: [{ path: 'subscriber_id' }] } })
    expect(await createApi({ baseUrl, apiKey: key }).getOrganization()).toMatchObject({ name: 'Acme' })
  })

  it('notifies the caller only of writes that may have changed something', async () => {
    const { key } = await vendorWithPlan(service)
    const notified: unknown[] = []
    const onWrite = (operation: string, { subscriber_id: id }: Readonly<Record<string, unknown>>) =>
      notified.push([operation, id])
    const api = createApi({ baseUrl, apiKey: key, onWrite })

    await api.createSubscriber({ subscriber_id: 'acme' })
    await api.check({ subscriber_id: 'acme', feature: 'seats' })
    await api.previewPlanUpdate({ key: 'pro', grants: {} })
    await failureOf(api.createSubscriber({ subscriber_id: 'acme' }))
    await api.archivePlan({ key: 'pro' })
    await api.importSubscribers({ lines: '{"subscriber_id":"globex"}' })

    expect(notified).toEqual([
      ['createSubscriber', 'acme'],
      ['archivePlan', undefined],
      ['importSubscribers', undefined],
    ])
  })
})

describe('the types of the client', () => {
  it('have the operations, fields, answers and list items of the API, and know which values are required', () => {
    const api = createApi({ baseUrl })
    const uncalled = [
      // @ts-expect-error: there is no such operation.
      () => api.getPlans(),
      // @ts-expect-error: the key is required.
      () => api.getPlan(),
      // @ts-expect-error: the field is misspelled.
      () => api.updatePlan({ key: 'pro', nmae: 'Pro' }),
      // @ts-expect-error: a limit is not a string.
      () => api.putOverride({ subscriber_id: 'a', feature_key: 'b', kind: 'limit', limit: '5' }),
      (): Promise<Schemas['Plan']> => api.getPlan({ key: 'pro' }),
      (): Pages<{ subscribers: Schemas['Subscriber'][] }, Schemas['Subscriber']> => api.listSubscribers(),
      (): Promise<undefined> => api.deletePlan({ key: 'pro' }),
      async () => {
        const checked = await api.check({ subscriber_id: 'acme', features: ['seats'] })
        return 'entitlements' in checked && checked.entitlements.map(({ kind }) => kind)
      },
    ]

    expect(uncalled.length).toBe(8)
  })
})

describe('a refusal', () => {
  it("is an error of the class of its code, with the service's message", async () => {
    const { api } = await vendorWithPlan(service)

    const error = await failureOf(api.getPlan({ key: 'gold' }))

    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toBeInstanceOf(EntitlementsError)
    expect(error).toMatchObject({
      name: 'NotFoundError',
      code: 'NOT_FOUND',
      status: 404,
      message: 'There is no plan "gold" here.',
      requestId,
      details: { resource: 'plan', id: 'gold' },
      retryAfterSeconds: null,
    })
  })

  it('has a class for every code that the service describes', async () => {
    const codes = Object.entries(describeRestApi().components.schemas).flatMap(([name, schema]) => codeIn(name, schema))
    const proxy = await startFaultyProxy(baseUrl)
    const api = createApi({ baseUrl: proxy.url })

    expect(codes.length).toBeGreaterThan(10)
    for (const { name, code } of codes) {
      proxy.faults.push({ status: 418, body: JSON.stringify({ error: { code, message: 'Wait.', details: null } }) })
      const error = (await failureOf(api.getService())) as EntitlementsError
      expect(error.constructor, code).toBe((client as Record<string, unknown>)[name])
      expect(error.name).toBe(name)
    }
  })

  it('of each kind has its own class', async () => {
    const { api, organizationId } = await vendorWithPlan(service)
    const viewer = await service.member(organizationId, 'viewer')
    await api.createSubscriber({ subscriber_id: 'acme' })
    await api.createFeature({ key: 'region', name: 'Region', kind: 'config', value_type: 'enum', options: ['a', 'b'] })
    await api.createPlan({ key: 'old', name: 'Old', grants: { region: { kind: 'config', value: 'a' } } })
    await api.archivePlan({ key: 'old' })

    const refused = await Promise.all([
      failureOf(api.createSubscriber({ subscriber_id: 'acme' })),
      failureOf(api.createSubscriber({ subscriber_id: 'a b' })),
      failureOf(api.createSubscription({ subscriber_id: 'acme', plan_id: 'old' })),
      failureOf(api.updateFeature({ key: 'region', options: ['b'] })),
      failureOf(createApi({ baseUrl, apiKey: viewer.key }).deletePlan({ key: 'pro' })),
      failureOf(createApi({ baseUrl }).getOrganization()),
      failureOf(api.evaluateFlag({ key: 'gold', context: { targetingKey: 'acme' } })),
    ])

    expect(refused.map((error) => (error as Error).constructor)).toEqual([
      client.ConflictError,
      client.ValidationError,
      client.PlanArchivedError,
      client.OptionInUseError,
      client.ForbiddenError,
      client.UnauthorizedError,
      EntitlementsError,
    ])
    expect(refused.at(-1)).toMatchObject({ name: 'EntitlementsError', code: 'FLAG_NOT_FOUND', status: 404 })
  })
})
