import { describe, expect, it } from 'vitest'
import { auditFilterInput } from '../../src/modules/audit/audit-filter.ts'
import { auditEventsQuery } from '../../src/modules/audit/load-audit-events.ts'
import { entryOf, readLog } from '../support/audit.ts'
import { importLines, importPath } from '../support/import.ts'
import { signUp, trustedLoopback } from '../support/person.ts'
import { type Caller, startService } from '../support/service.ts'

const service = await startService(trustedLoopback)
const { pool } = service.database

describe('an entry of the audit log', () => {
  it('keeps at most 512 characters of the user agent, and ends a truncated one with …', async () => {
    const admin = await service.organization()
    const send = (agent: string) => admin.rest('DELETE', '/org/features/x', undefined, { 'user-agent': agent })

    await send('a'.repeat(512))
    await send('a'.repeat(513))
    await send('a'.repeat(15_000))

    const cut = `${'a'.repeat(511)}…`
    expect((await readLog(admin)).map(({ user_agent }) => user_agent)).toEqual([cut, cut, 'a'.repeat(512)])
  })

  it('keeps at most 255 whole characters of a path value, and ends a truncated one with …', async () => {
    const admin = await service.organization()
    const [whole, long] = ['😀'.repeat(255), '😀'.repeat(256)]

    for (const id of [whole, long]) await admin.rest('DELETE', `/org/subscribers/${encodeURIComponent(id)}`)

    expect((await readLog(admin)).map(({ params }) => params)).toEqual([
      { subscriber_id: `${'😀'.repeat(254)}…` },
      { subscriber_id: whole },
    ])
  })

  it('is found by the whole path value that was sent, even if the log truncated the value', async () => {
    const admin = await service.organization()
    for (const length of [255, 256, 7_000]) await admin.rest('DELETE', `/org/subscribers/${'x'.repeat(length)}`)
    const [longest, longer, whole] = await readLog(admin)

    const found = (length: number) => readLog(admin, `?params[subscriber_id]=${'x'.repeat(length)}`)
    const { body } = await admin.graphql(
      `{ auditEvents(filter: { params: [{ name: "subscriber_id", value: "${'x'.repeat(7_000)}" }] }) { nodes { id } } }`,
    )

    expect(await found(255)).toEqual([whole])
    expect(await found(7_000)).toEqual([longest, longer])
    expect(await found(254)).toEqual([])
    expect(body.data.auditEvents.nodes.map(({ id }: { id: string }) => id)).toEqual([longest?.id, longer?.id])
  })

  it("has its long path values truncated in a person's own log, too", async () => {
    const person = await signUp(service)

    await person.rest('POST', `/user/organizations/${'x'.repeat(256)}/sign-in`)

    const { body } = await person.rest('GET', '/user/audit-events')
    expect(body.audit_events[0]).toMatchObject({ params: { organization_id: `${'x'.repeat(254)}…` } })
  })
})

describe("the entries of an import's lines", () => {
  const agent = { 'user-agent': 'importer/1.0' }
  const lines = [{ subscriber_id: 'a', name: 'A' }, { subscriber_id: 'b' }]

  it('contain the origin of their request, in both APIs', async () => {
    const caller = await service.organization()

    const answer = await importLines(caller, lines, agent)

    const common = { method: 'POST', route: importPath, service: 'api', user_agent: 'importer/1.0' }
    const [second, first, request] = await readLog(caller)
    expect([second, first]).toEqual([
      entryOf(caller, answer, { ...common, params: { subscriber_id: 'b' }, created_id: 'b' }),
      entryOf(caller, answer, {
        ...common,
        params: { subscriber_id: 'a' },
        created_id: 'a',
        details: { name: { from: null, to: 'A' } },
      }),
    ])
    expect(await caller.rest('GET', `/org/audit-events/${first?.id}`)).toMatchObject({ body: first })
    const { body } = await caller.graphql('{ auditEvents { nodes { id ip userAgent requestId } } }')
    expect(body.data.auditEvents.nodes).toEqual(
      [second, first, request].map((entry) => ({
        id: entry?.id,
        ip: '127.0.0.1',
        userAgent: 'importer/1.0',
        requestId: answer.headers.get('x-request-id'),
      })),
    )
  })

  it('contain the origin even without a user agent, and for several imports in one GraphQL document', async () => {
    const caller = await service.organization()
    const fields = ['a', 'b'].map(
      (id) => `${id}: importSubscribers(input: { lines: [{ subscriberId: "${id}" }] }) { created }`,
    )
    const sent = await service.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': caller.key, 'user-agent': undefined as never },
      payload: { query: `mutation { ${fields.join(' ')} }` },
      remoteAddress: '192.0.2.1',
    })

    expect(sent.json().data).toEqual({ a: { created: 1 }, b: { created: 1 } })
    expect((await readLog(caller)).map(({ ip, user_agent, params }) => [ip, user_agent, params])).toEqual([
      ['192.0.2.1', null, { subscriber_id: 'b' }],
      ['192.0.2.1', null, {}],
      ['192.0.2.1', null, { subscriber_id: 'a' }],
      ['192.0.2.1', null, {}],
    ])
  })

  it('are skipped by means of an index when a request excludes them', async () => {
    const caller = await service.organization()
    const { organizationId } = caller
    await caller.rest('POST', '/org/features', { key: 'a', name: 'A', kind: 'flag' })
    await pool.query(
      `insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type, service,
                                method, route, params, request_event_id, outcome, status, details)
       select $1, '7' || lpad(number::text, 25, '0'), now(), 'req', 'm', 'jwt', 'api', 'POST', $2, '{}', 'e', 'responded',
              200, '{}'
         from generate_series(1, 20000) number`,
      [organizationId, importPath],
    )
    await pool.query('analyze audit_event')
    const filter = auditFilterInput.parse({ changed: true, lines: false, limit: 32 })
    const { text, values } = auditEventsQuery({ organizationId }, filter)

    const { rows } = await pool.query(`explain (analyze, format json) ${text}`, values)

    expect(JSON.stringify(rows)).toContain('"Index Name":"audit_event_no_line"')
    expect(await readLog(caller, '?changed=true&lines=false')).toMatchObject([{ created_id: 'a' }])
  })

  it('are found by every filter that finds the entry of their request', async () => {
    const caller = await service.organization()
    // The database's clock may be some milliseconds behind.
    const since = new Date(Date.now() - 60_000).toISOString()
    const answer = await importLines(caller, lines, agent)
    const all = await readLog(caller)

    expect(all).toHaveLength(3)
    for (const filter of [
      `request_id=${answer.headers.get('x-request-id')}`,
      `actor_member_id=${caller.memberId}`,
      `route=${importPath}`,
      'method=POST&service=api',
      'outcome=responded&changed=true',
      `occurred_after=${since}`,
    ]) {
      expect(await readLog(caller, `?${filter}`), filter).toEqual(all)
    }
    expect(await readLog(caller, '?params[subscriber_id]=a')).toEqual([all[1]])
    expect(await readLog(caller, '?object_type=subscriber&object_id=a')).toEqual([all[1]])
    expect(await readLog(caller, '?created_id=b')).toEqual([all[0]])
  })

  it('take no more space when the request has a longer user agent', async () => {
    const sizes: number[] = []
    for (const length of [1, 512]) {
      const caller = await service.organization()
      await importLines(caller, lines, { 'user-agent': 'a'.repeat(length) })
      sizes.push(await bytesOfLines(caller))
    }

    expect(sizes[0]).toBeGreaterThan(0)
    expect(sizes[1]).toBe(sizes[0])
  })
})

async function bytesOfLines({ organizationId }: Caller): Promise<number> {
  const { rows } = await pool.query(
    `select sum(pg_column_size(entry))::int as bytes from audit_event entry
      where organization_id = $1 and params <> '{}'`,
    [organizationId],
  )
  return rows[0].bytes
}
