import { request as httpRequest } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()
const { pool } = service.database
const subscribers = '/org/subscribers'
const log = '/org/audit-events'

let caller: Caller
beforeEach(async () => {
  caller = await service.organization()
})

type Download = { status: number; type: string | null; length: string | null; text: string }

/** Keeps a byte order mark at the beginning of the text, which `answer.text()` would remove. */
async function download(path: string, accept: string, method = 'GET'): Promise<Download> {
  const headers = { accept, 'x-api-key': caller.key }
  const answer = await fetch(`${service.url}${path}`, { method, headers })
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    length: answer.headers.get('content-length'),
    text: Buffer.from(await answer.arrayBuffer()).toString(),
  }
}

const linesOf = ({ text }: Download) => text.split('\r\n').slice(0, -1)
const objectsOf = ({ text }: Download) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

const insertSubscribers = (count: number, name = 'x') =>
  pool.query(
    `insert into subscriber (organization_id, subscriber_id, name, created_at, updated_at)
     select $1, 'many-' || lpad(i::text, 7, '0'), $3, '2026-01-01', '2026-01-01' from generate_series(1, $2::int) i`,
    [caller.organizationId, count, name],
  )

/** Begins a download, and reads nothing of it until `read` is called, which resolves to whether the download is complete. */
function begin(path: string, key = caller.key): { status: Promise<number>; read(): Promise<boolean>; close(): void } {
  const request = httpRequest(`${service.url}${path}`, {
    headers: { accept: 'text/csv', 'x-api-key': key },
    agent: false,
  })
  const answered = new Promise<import('node:http').IncomingMessage>((resolve, reject) =>
    request.once('response', resolve).once('error', reject),
  )
  request.end()
  return {
    status: answered.then(({ statusCode }) => statusCode ?? 0),
    async read() {
      const answer = await answered
      answer.resume().on('error', () => {})
      await new Promise((resolve) => answer.once('close', resolve))
      return answer.complete
    },
    close: () => request.destroy(),
  }
}

describe('an export of subscribers', () => {
  it('is a CSV table as RFC 4180 defines it, in which no cell is a formula', async () => {
    await vendor(caller).plan('pro')
    await vendor(caller).subscriber('=a', { name: 'One, "two"\nthree' })
    await vendor(caller).subscriber('b', { name: '@SUM(1+1)*cmd|' })
    await vendor(caller).subscriber('c', { name: null })
    await vendor(caller).subscribe('b', 'pro')
    const created = (await vendor(caller).get(subscribers)).subscribers.map(
      (each: { created_at: string }) => each.created_at,
    )

    const file = await download(subscribers, 'text/csv')

    expect(file).toMatchObject({ status: 200, type: 'text/csv; charset=utf-8' })
    expect(linesOf(file)).toEqual([
      '\uFEFFsubscriber_id,name,plan_id,created_at,updated_at',
      `'=a,"One, ""two""\nthree",,${created[0]},${created[0]}`,
      `b,'@SUM(1+1)*cmd|,pro,${created[1]},${created[1]}`,
      `c,,,${created[2]},${created[2]}`,
    ])
  })

  it('can also be lines of JSON, one for each subscriber, and respects the filters', async () => {
    for (const id of ['a', 'b', 'c']) await vendor(caller).subscriber(id)
    await vendor(caller).plan('pro')
    await vendor(caller).subscribe('b', 'pro')

    const file = await download(`${subscribers}?plan_id=pro&limit=1`, 'application/x-ndjson')

    expect(file).toMatchObject({ status: 200, type: 'application/x-ndjson' })
    expect(objectsOf(file)).toEqual([
      {
        subscriber_id: 'b',
        name: null,
        plan_id: 'pro',
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
    expect(objectsOf(await download(`${subscribers}?starting_after=b`, 'application/x-ndjson'))).toHaveLength(1)
  })

  it('contains all of 2,500 subscribers, each once', async () => {
    await insertSubscribers(2_500)

    const lines = linesOf(await download(`${subscribers}?search=many`, 'text/csv'))

    expect(lines).toHaveLength(2_501)
    expect(new Set(lines).size).toBe(2_501)
  })

  it('is refused in JSON as the list is, and HEAD answers with only the headers', async () => {
    const evaluator = await service.member(caller.organizationId, 'evaluator')
    const headers = { accept: 'text/csv' }

    expectInvalid(await caller.rest('GET', `${subscribers}?search=`, undefined, headers), ['search', /1 to 255/])
    expectRefusal(await evaluator.rest('GET', subscribers, undefined, headers), 'FORBIDDEN', {
      required_labels: ['subscribers:read'],
    })
    expect(await download(subscribers, 'text/csv', 'HEAD')).toEqual({
      status: 200,
      type: 'text/csv; charset=utf-8',
      length: null,
      text: '',
    })
    expect((await download(subscribers, 'application/json')).text).toContain('"has_more"')
    expect((await download(subscribers, 'text/html')).text).toContain('"has_more"')
  })
})

describe('an export of the audit log', () => {
  it('has the columns of the entries, newest first', async () => {
    await vendor(caller).feature('sso')
    await vendor(caller).subscriber('acme', { name: 'Acme' })

    const table = linesOf(await download(log, 'text/csv'))
    const objects = objectsOf(await download(log, 'application/x-ndjson'))

    expect(table[0]).toBe(
      '\uFEFFid,occurred_at,request_id,member_id,auth_type,key_prefix,service,method,route,params,ip,user_agent,outcome,status,details,created_id',
    )
    const { audit_events } = await vendor(caller).get(log)
    expect(objects).toEqual(audit_events)
    const [entry] = audit_events
    expect(table[1]).toContain(
      `${entry.id},${entry.occurred_at},${entry.request_id},${entry.actor.member_id},member_apikey`,
    )
    expect(table[1]).toMatch(/,responded,201,"\{""subscriber_id"".*\}",acme$/)
    const only = objectsOf(await download(`${log}?created_id=sso`, 'application/x-ndjson'))
    expect(only.map(({ created_id }) => created_id)).toEqual(['sso'])
  })
})

describe('a long export', () => {
  // With 6,000 rows, 15 MB: more than the buffers of both ends of a connection, and many pages.
  const longName = 'x'.repeat(2_500)
  const canBegin = async () => (await download(`${subscribers}?starting_after=many-0005999`, 'text/csv')).status === 200

  it('leaves out rows created after it began, and does not delay other requests', async () => {
    await insertSubscribers(6_000, longName)
    const slow = begin(subscribers)
    expect(await slow.status).toBe(200)
    await vendor(caller).subscriber('zzz')
    const other = await service.organization()
    expect((await other.rest('GET', subscribers)).status).toBe(200)

    expect(await slow.read()).toBe(true)
    expect((await download(`${subscribers}?starting_after=many-0005999`, 'text/csv')).text).toContain('zzz')
  })

  it('is cut off when its key is revoked, so that the client can tell that it is incomplete', async () => {
    await insertSubscribers(6_000, longName)
    const { rest } = caller
    const account = (await rest('POST', '/org/service-accounts', { name: 'Auditor', role: 'viewer' })).body
    const keys = `/org/service-accounts/${account.service_account_id}/api-keys`
    const { key, key_id } = (await rest('POST', keys, { name: 'k' })).body
    const [slow, another] = [begin(subscribers, key), begin(subscribers)]
    for (const each of [slow, another]) expect(await each.status).toBe(200)

    expect((await rest('DELETE', `${keys}/${key_id}`)).status).toBe(204)

    // Both slots are taken until the export is cut off.
    await until(canBegin)
    expect(await slow.read()).toBe(false)
    expect(await another.read()).toBe(true)
  })

  it('is one of at most two at once in an organization; a third is 429 until one ends', async () => {
    await insertSubscribers(6_000, longName)
    const first = [begin(subscribers), begin(subscribers)]
    for (const each of first) expect(await each.status).toBe(200)

    const refused = await caller.rest('GET', subscribers, undefined, { accept: 'text/csv' })
    expectRefusal(refused, 'RATE_LIMITED', { retry_after_seconds: 5 })

    for (const each of first) each.close()
    await until(canBegin)
  })
})
