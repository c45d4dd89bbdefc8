import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { holdLocks } from '../support/hold-locks.ts'
import { rawRequest } from '../support/raw-http.ts'
import { expectRefusal } from '../support/refusal.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const budget = 262_144

it('the service parses only as many large bodies at once as the budget allows, but small bodies always', async () => {
  const service = await startService({ MAX_PARSED_BYTES: `${budget}` })
  const caller = await service.organization()
  await vendor(caller).subscriber('held')
  const padding = 'p'.repeat(90_000)
  const rename = (id: string) => caller.rest('PATCH', `/org/subscribers/${id}`, { name: 'x', padding })
  const document = () => caller.graphql(`{ features { key } } # ${padding}`)
  const release = await holdLocks(
    service.database.pool,
    `select from subscriber where organization_id = '${caller.organizationId}' for update`,
  )

  // Sends one request after another: each waits for the row until the database gives up, and keeps its share of the budget
  // meanwhile.
  const stop = new AbortController()
  const holding = (async () => {
    while (!stop.signal.aborted) await rename('held')
  })()

  const refused = await until(async () => {
    const answer = await rename('unknown')
    return answer.status === 503 && answer
  })
  expectRefusal(refused, 'SERVICE_UNAVAILABLE', null, /fewer at once/)
  await expect
    .poll(async () => (await document()).body.errors?.[0].extensions)
    .toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect((await caller.rest('GET', '/org/features', undefined)).status).toBe(200)
  expect((await caller.rest('POST', '/org/subscribers', { subscriber_id: 'small' })).status).toBe(201)

  stop.abort()
  await release()
  await holding
  expect((await rename('held')).status).toBe(200)
})

it("the service frees a body's share of the budget when it answers, even with a refusal", async () => {
  const service = await startService({ MAX_PARSED_BYTES: `${budget}` })
  const caller = await service.organization()
  const body = `{"padding":"${'p'.repeat(120_000)}"`

  for (const text of [`${body}}`, body, `${body},"x":[${'[],'.repeat(1_000)}[]]}`]) {
    for (let round = 0; round < 4; round++) {
      const { status } = await caller.rest('POST', '/org/features', text)
      expect([400, 422]).toContain(status)
    }
  }
})

it('a body counts against the budget with the memory that it takes once parsed', async () => {
  const service = await startService({ MAX_PARSED_BYTES: `${budget}` })
  const caller = await service.organization()
  const dense = `{"padding":[${'[],'.repeat(20_000)}[]]}`

  expect(dense.length).toBeLessThan(budget / 4)
  expectRefusal(await caller.rest('POST', '/org/features', dense), 'SERVICE_UNAVAILABLE', null)
})

it('a body with more values than its size limit allows is 413, but one of the same size with fewer values is not', async () => {
  const caller = await (await startService({ BODY_LIMIT_BYTES: '140000' })).organization()
  const bodyOf = (values: number) => `{"padding":[${'1,'.repeat(values)}1],"rest":"${'p'.repeat(90_000)}"}`

  expectRefusal(await caller.rest('POST', '/org/features', bodyOf(20_000)), 'BODY_TOO_LARGE', null, /20000 values/)
  expect((await caller.rest('POST', '/org/features', bodyOf(19_000))).status).toBe(422)
  const document = await caller.graphql(`{ features { key } } # ${','.repeat(100_000)}`)
  expect(document.body.errors?.[0].extensions).toMatchObject({ code: 'BODY_TOO_LARGE' })
})

it.each([
  ['address', '192.0.2.1', '192.0.2.1'],
  ['IPv6 network', '2001:db8::1', '2001:db8::2'],
])(
  'a large body is refused before it is read if its %s is already sending as many bytes as allowed',
  async (_what, first, second) => {
    const service = await startService({ MAX_PARSED_BYTES: `${budget}`, TRUST_PROXY: '1' })
    const caller = await service.organization()
    const headers = { 'x-api-key': caller.key, 'content-type': 'application/json', 'content-length': '120000' }
    const expecting = { ...headers, 'x-forwarded-for': first, expect: '100-continue' }
    const begun = rawRequest('POST', '/org/features', expecting)
    let sending: Socket | undefined
    const stop = () => void sending?.destroy()
    onTestFinished(stop)
    const from = { 'x-forwarded-for': second }
    const padding = 'p'.repeat(120_000)
    const send = () => caller.rest('POST', '/org/features', { key: 'b', name: 'b', kind: 'flag', padding }, from)

    const refused = await until(async () => {
      stop()
      sending = connect(Number(new URL(service.url).port), '127.0.0.1', () => sending?.write(begun))
      const [answer] = await once(sending, 'data')
      expect(`${answer}`).toMatch(/^HTTP\/1.1 100 /)
      const refusal = await send()
      return refusal.status === 503 && refusal
    })
    expectRefusal(refused, 'SERVICE_UNAVAILABLE', null, /was not read/)
    const small = await caller.rest('POST', '/org/features', { key: 'a', name: 'a', kind: 'flag' }, from)
    expect(small.status).toBe(201)

    stop()
    await until(async () => (await send()).status === 422)
  },
)
