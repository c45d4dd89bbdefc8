import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { newId } from '../../src/core/ids.ts'
import { indexedParams, personalLogParams } from '../../src/modules/audit/audit-event.ts'
import { type Entry, entryOf, readLog } from '../support/audit.ts'
import { type Caller, send, startService } from '../support/service.ts'

const service = await startService({ BODY_LIMIT_BYTES: '1000', EVAL_RATE_LIMIT_PER_SECOND: '1' })

const feature = (key: string) => ({ key, name: key, kind: 'flag' })

async function requestSuccessfully(caller: Caller, method: string, path: string, body?: unknown) {
  const answer = await caller.rest(method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer
}

const toSummary = ({ method, route, outcome, status }: Entry) => `${method} ${route} ${outcome} ${status}`

describe('the audit log', () => {
  it('has one entry for each answered write, whatever the answer', async () => {
    const admin = await service.organization()

    const answers = [
      await admin.rest('POST', '/org/features', feature('sso')),
      await admin.rest('POST', '/org/features', feature('sso')),
      await admin.rest('POST', '/org/features', { ...feature('seats'), kind: 'none' }),
      await admin.rest('DELETE', '/org/features/missing'),
    ]

    expect(answers.map(({ status }) => status)).toEqual([201, 409, 422, 404])
    expect(await readLog(admin)).toEqual([
      entryOf(admin, answers[3] as never, {
        method: 'DELETE',
        route: '/org/features/{key}',
        params: { key: 'missing' },
      }),
      entryOf(admin, answers[2] as never, { method: 'POST', route: '/org/features' }),
      entryOf(admin, answers[1] as never, { method: 'POST', route: '/org/features' }),
      entryOf(admin, answers[0] as never, {
        method: 'POST',
        route: '/org/features',
        details: feature('sso'),
        created_id: 'sso',
      }),
    ])
  })

  it('has an entry for a path with the longest possible values, and a filter by these values finds it', async () => {
    const admin = await service.organization()
    const viewer = await service.member(admin.organizationId, 'viewer')
    // Incompressible text of four bytes a character: the largest key that the index must accept.
    const text = Array.from({ length: 255 }, (_, index) =>
      String.fromCodePoint(0x20000 + ((index * 7919) % 0xa000)),
    ).join('')
    const path = `/org/subscribers/${encodeURIComponent(text)}/overrides/${encodeURIComponent([...text].reverse().join(''))}`

    for (const caller of [viewer, admin]) await caller.rest('DELETE', path)

    const params = { subscriber_id: text, feature_key: [...text].reverse().join('') }
    const query = `?params[subscriber_id]=${encodeURIComponent(text)}`
    expect((await readLog(admin, query)).map(({ params, status }) => ({ params, status }))).toEqual([
      { params, status: 404 },
      { params, status: 403 },
    ])
    expect((await readLog(admin, `${query}&outcome=rejected`)).map(({ status }) => status)).toEqual([403])
  })

  it('has a rejected entry for each write that was refused before it ran: 403, 413, 415, 400', async () => {
    const admin = await service.organization()
    const viewer = await service.member(admin.organizationId, 'viewer')

    const answers = [
      await viewer.rest('POST', '/org/features', '{'),
      await admin.rest('POST', '/org/features', { ...feature('sso'), description: 'x'.repeat(2000) }),
      await admin.rest('POST', '/org/features', 'key=sso', { 'content-type': 'application/x-www-form-urlencoded' }),
      await admin.rest('POST', '/org/features', '{"key":'),
    ]

    expect(answers.map(({ status }) => status)).toEqual([403, 413, 415, 400])
    const expected = { method: 'POST', route: '/org/features', outcome: 'rejected' }
    expect(await readLog(admin)).toEqual([
      entryOf(admin, answers[3] as never, expected),
      entryOf(admin, answers[2] as never, expected),
      entryOf(admin, answers[1] as never, expected),
      entryOf(viewer, answers[0] as never, expected),
    ])
  })

  it('has no entry for reads and evals, refused or not, nor for any request refused with 401 or 429', async () => {
    const admin = await service.organization()
    const evaluator = await service.member(admin.organizationId, 'evaluator')
    await requestSuccessfully(admin, 'POST', '/org/subscribers', { subscriber_id: 'acme' })
    const before = await readLog(admin)
    const entitlements = '/org/subscribers/acme/entitlements'

    expect(await admin.rest('GET', '/org/features')).toMatchObject({ status: 200 })
    expect(await admin.rest('GET', '/org/features?x=1')).toMatchObject({ status: 422 })
    expect(await evaluator.rest('GET', '/org/audit-events')).toMatchObject({ status: 403 })
    expect(await evaluator.rest('GET', '/org/features')).toMatchObject({ status: 403 })
    expect(await admin.rest('GET', '/org/subscribers/missing')).toMatchObject({ status: 404 })
    expect(await send(`${service.url}/org/features`, 'POST', feature('a'))).toMatchObject({ status: 401 })
    const wrong = { 'x-api-key': `${admin.key.slice(0, -1)}~` }
    expect(await send(`${service.url}/org/features`, 'POST', feature('a'), wrong)).toMatchObject({ status: 401 })
    const evals = await Promise.all([1, 2, 3, 4].map(() => admin.rest('GET', entitlements)))
    expect(evals.map(({ status }) => status)).toContain(429)
    expect((await admin.rest('POST', `${entitlements}/check`, '{')).status).toBe(400)
    expect((await admin.rest('POST', '/org/nowhere', {})).status).toBe(404)

    expect(await readLog(admin)).toEqual(before)
  })

  it('has an entry for each root field of a GraphQL request, with the REST route and the shared request id', async () => {
    const admin = await service.organization()

    const { headers, body } = await admin.graphql(`mutation {
      a: createFeature(input: { key: "a", name: "A", kind: FLAG }) { key }
      twice: createFeature(input: { key: "a", name: "A", kind: FLAG }) { key }
      updateFeature(input: { key: "a", name: "B" }) { key }
    }`)

    expect(body.data.a).toEqual({ key: 'a' })
    const expected = (status: number) => ({ headers, status, body }) as never
    expect(await readLog(admin)).toEqual([
      entryOf(admin, expected(200), {
        method: 'PATCH',
        route: '/org/features/{key}',
        params: { key: 'a' },
        details: { name: { from: 'A', to: 'B' } },
      }),
      entryOf(admin, expected(409), { method: 'POST', route: '/org/features' }),
      entryOf(admin, expected(201), {
        method: 'POST',
        route: '/org/features',
        details: { key: 'a', name: 'A', kind: 'flag' },
        created_id: 'a',
      }),
    ])
    const requests = await readLog(admin, `?request_id=${headers.get('x-request-id')}`)
    expect(requests).toHaveLength(3)
  })

  it('has no entry for an invalid GraphQL document, but one for an invalid input and one for a forbidden write', async () => {
    const admin = await service.organization()
    const viewer = await service.member(admin.organizationId, 'viewer')

    await admin.graphql('mutation { createFeature(input: { key: "a" }) { nope } }')
    await admin.graphql('mutation { createFeature(input: { key: "a" }) { key } }')
    await viewer.graphql('mutation { deleteFeature(input: { key: "a" }) }')
    await viewer.graphql('{ auditEvents { nodes { id } } }')

    expect((await readLog(admin)).map(toSummary)).toEqual([
      'DELETE /org/features/{key} rejected 403',
      'POST /org/features responded 422',
    ])
  })

  it('records path values decoded, or as they were sent if they cannot be decoded', async () => {
    const admin = await service.organization()

    await admin.rest('DELETE', '/org/subscribers/a%20b%2Fc%C3%A9')
    await admin.rest('DELETE', '/org/subscribers/a%00b')
    await admin.rest('DELETE', '/org/subscribers/%ff')
    const [invalid, nul, encoded] = await readLog(admin)

    expect(encoded?.params).toEqual({ subscriber_id: 'a b/cé' })
    expect(nul?.params).toEqual({ subscriber_id: 'a\ufffdb' })
    expect(invalid?.params).toEqual({ subscriber_id: '%ff' })
  })

  it('has a null user agent when the client sent none', async () => {
    const admin = await service.organization()

    await service.app.inject({
      method: 'DELETE',
      url: '/org/features/x',
      headers: { 'x-api-key': admin.key, 'user-agent': undefined as never },
      remoteAddress: '::ffff:192.0.2.1',
    })

    expect(await readLog(admin)).toMatchObject([{ user_agent: null, ip: '192.0.2.1' }])
  })

  it("contains only entries of the caller's organization", async () => {
    const [admin, other] = [await service.organization(), await service.organization()]
    await requestSuccessfully(admin, 'POST', '/org/features', feature('sso'))

    expect(await readLog(other)).toEqual([])
  })

  it('never contains bodies, query strings, keys or refused input', async () => {
    const admin = await service.organization()
    await admin.rest('POST', '/org/features?secret=hidden', { ...feature('sso'), description: 'hidden' })
    await admin.rest('POST', '/org/features', { ...feature('sso'), hidden: 'hidden' })
    await admin.rest('POST', '/org/features', '{"hidden":')

    const { rows } = await service.database.pool.query(
      'select a::text as entry from audit_event a where organization_id = $1',
      [admin.organizationId],
    )

    expect(rows).toHaveLength(3)
    for (const { entry } of rows) {
      expect(entry).not.toContain('hidden')
      expect(entry).not.toContain(admin.key.slice(12))
    }
  })
})

describe('the filters of the audit log', async () => {
  const admin = await service.organization()
  const viewer = await service.member(admin.organizationId, 'viewer')
  await requestSuccessfully(admin, 'POST', '/org/features', feature('sso'))
  await requestSuccessfully(admin, 'POST', '/org/subscribers', { subscriber_id: 'acme' })
  await requestSuccessfully(admin, 'POST', '/org/subscribers', { subscriber_id: 'globex' })
  await requestSuccessfully(admin, 'PUT', '/org/subscribers/acme/overrides/sso', { kind: 'flag', allowed: true })
  await requestSuccessfully(admin, 'PUT', '/org/subscribers/globex/overrides/sso', { kind: 'flag', allowed: true })
  const patched = await requestSuccessfully(admin, 'PATCH', '/org/subscribers/acme', { name: 'Acme' })
  await viewer.rest('DELETE', '/org/subscribers/acme')
  const all = await readLog(admin)

  async function expectFound(query: string, isExpected: (entry: Entry) => boolean, count: number) {
    const found = await readLog(admin, `?${query}`)
    expect(found).toEqual(all.filter(isExpected))
    expect(found).toHaveLength(count)
  }
  const paramsOf = (entry: Entry) => entry.params as Record<string, string>

  it('find exactly the matching entries, newest first', async () => {
    expect(all).toHaveLength(7)
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .reverse(),
    )

    await expectFound(`actor_member_id=${viewer.memberId}`, ({ status }) => status === 403, 1)
    await expectFound(`actor_member_id=${newId()}`, () => false, 0)
    await expectFound('outcome=rejected', ({ outcome }) => outcome === 'rejected', 1)
    await expectFound('outcome=responded', ({ outcome }) => outcome === 'responded', 6)
    await expectFound('outcome=pending', () => false, 0)
    await expectFound('outcome=no_response', () => false, 0)
    await expectFound('method=PUT', ({ method }) => method === 'PUT', 2)
    await expectFound('method=GET', () => false, 0)
    await expectFound('route=/org/subscribers', ({ route }) => route === '/org/subscribers', 2)
    await expectFound(
      'route=%2Forg%2Fsubscribers%2F%7Bsubscriber_id%7D',
      ({ route }) => route === '/org/subscribers/{subscriber_id}',
      2,
    )
    await expectFound('route=/org', () => false, 0)
    await expectFound('service=api', () => true, 7)
    await expectFound('service=identity', () => false, 0)
    const requestId = patched.headers.get('x-request-id')
    await expectFound(`request_id=${requestId}`, ({ request_id }) => request_id === requestId, 1)
    await expectFound('created_id=sso', ({ created_id }) => created_id === 'sso', 1)
    await expectFound('created_id=acme', ({ created_id }) => created_id === 'acme', 1)
    await expectFound('created_id=nothing', () => false, 0)
  })

  it('find entries by one or several path values with their names', async () => {
    await expectFound('params[subscriber_id]=acme', (entry) => paramsOf(entry).subscriber_id === 'acme', 3)
    await expectFound('params%5Bsubscriber_id%5D=acme', (entry) => paramsOf(entry).subscriber_id === 'acme', 3)
    await expectFound('params[feature_key]=sso', (entry) => paramsOf(entry).feature_key === 'sso', 2)
    await expectFound(
      'params[feature_key]=sso&params[subscriber_id]=globex',
      (entry) => paramsOf(entry).subscriber_id === 'globex',
      1,
    )
    await expectFound('params[feature_key]=sso&params[subscriber_id]=x', () => false, 0)
    await expectFound('params[subscriber_id]=Acme', () => false, 0)
    await expectFound('params[nowhere]=acme', () => false, 0)
    await expectFound('params[__proto__]=acme', () => false, 0)
  })

  it('treat occurred_after as inclusive and occurred_before as exclusive, in any UTC offset', async () => {
    const { occurred_at: moment } = all[3] as Entry

    await expectFound(
      `occurred_after=${moment}`,
      ({ occurred_at }) => occurred_at >= moment,
      all.filter(({ occurred_at }) => occurred_at >= moment).length,
    )
    await expectFound(
      `occurred_before=${moment}`,
      ({ occurred_at }) => occurred_at < moment,
      all.filter(({ occurred_at }) => occurred_at < moment).length,
    )
    const shifted = `${new Date(Date.parse(moment) + 3_600_000).toISOString().slice(0, -1)}%2B01:00`
    await expectFound(
      `occurred_after=${shifted}&occurred_before=${new Date(Date.parse(moment) + 1).toISOString()}`,
      ({ occurred_at }) => occurred_at === moment,
      all.filter(({ occurred_at }) => occurred_at === moment).length,
    )
    await expectFound('occurred_after=0001-01-01T00:00:00Z&occurred_before=9999-12-31T23:59:59Z', () => true, 7)
    await expectFound('occurred_after=9999-12-31T23:59:59Z', () => false, 0)
  })

  it('combine with AND', async () => {
    await expectFound(
      `actor_member_id=${admin.memberId}&method=PUT&params[subscriber_id]=acme&outcome=responded&service=api`,
      ({ method, params }) => method === 'PUT' && (params as Record<string, string>).subscriber_id === 'acme',
      1,
    )
    await expectFound(`actor_member_id=${viewer.memberId}&outcome=responded`, () => false, 0)
  })

  it('can be combined with pages of older entries, even if no entry has the id in starting_after', async () => {
    const walked: Entry[] = []
    let query = '?limit=3'
    const pages: boolean[] = []
    while (true) {
      const { body } = await admin.rest('GET', `/org/audit-events${query}`)
      expect(Object.keys(body)).toEqual(['audit_events', 'has_more'])
      walked.push(...body.audit_events)
      pages.push(body.has_more)
      if (!body.has_more) break
      query = `?limit=3&starting_after=${walked.at(-1)?.id}`
    }

    expect(walked).toEqual(all)
    expect(pages).toEqual([true, true, false])
    expect(await readLog(admin, `?starting_after=${newId()}`)).toEqual(all)
    expect(await readLog(admin, '?starting_after=00000000000000000000000000')).toEqual([])
    expect(await readLog(admin, '?limit=3&method=PUT')).toHaveLength(2)
    expect(await readLog(admin, '?limit=1000')).toEqual(all)
  })

  it('are refused with one detail each when unknown, malformed, empty or repeated', async () => {
    const refusals: [query: string, paths: string[]][] = [
      ['actor=x', ['actor']],
      ['foo=1&bar=2', ['foo', 'bar']],
      ['params=acme', ['params']],
      ['params[]=acme', ['params[]']],
      ['params[a][b]=acme', ['params[a][b]']],
      ['params[key]=', ['params[key]']],
      ['params[key]=a&params[key]=b', ['params[key]']],
      ['params[key]=a%00', ['params[key]']],
      ['outcome=Rejected', ['outcome']],
      ['outcome=', ['outcome']],
      ['outcome=pending&outcome=rejected', ['outcome']],
      ['method=get', ['method']],
      ['method=OPTIONS', ['method']],
      ['service=webhook', ['service']],
      ['route=org/plans', ['route']],
      ['route=/%00', ['route']],
      ['created_id=%00', ['created_id']],
      ['request_id=01ARZ3NDEKTSV4RRFFQ69G5FAV', ['request_id']],
      ['request_id=req_01arz3ndektsv4rrffq69g5fav', ['request_id']],
      ['actor_member_id=me', ['actor_member_id']],
      ['actor_member_id=01arz3ndektsv4rrffq69g5fav', ['actor_member_id']],
      ['starting_after=x', ['starting_after']],
      ['limit=0', ['limit']],
      ['limit=1.5', ['limit']],
      ['occurred_after=yesterday', ['occurred_after']],
      ['occurred_before=2026-02-30T00:00:00Z', ['occurred_before']],
      ['occurred_before=2026-02-01', ['occurred_before']],
      ['method=x&outcome=y&limit=z', ['limit', 'outcome', 'method']],
    ]

    for (const [query, paths] of refusals) {
      const { status, body } = await admin.rest('GET', `/org/audit-events?${query}`)
      expect(status, query).toBe(422)
      expect(body.error.code).toBe('VALIDATION_ERROR')
      const fields: { path: string; message: string }[] = body.error.details.fields
      expect(fields.map(({ path }) => path).toSorted(), query).toEqual(paths.toSorted())
      expect(body.error.message).toBe(fields[0]?.message)
    }
    const { body } = await admin.rest('GET', '/org/audit-events?ocurred_after=2026-01-01T00:00:00Z')
    expect(body.error.details.fields).toEqual([
      {
        path: 'ocurred_after',
        message: 'Unknown query parameter "ocurred_after". Did you mean "occurred_after"?',
      },
    ])
  })

  it('work the same in GraphQL', async () => {
    const query = `query ($first: Int, $after: String, $filter: AuditEventFilter) {
      auditEvents(first: $first, after: $after, filter: $filter) { nodes { id } pageInfo { hasNextPage endCursor } }
    }`
    const found = async (filter: object, page: object = {}) => {
      const { body } = await admin.graphql(query, { filter, ...page })
      expect(body.errors).toBeUndefined()
      return body.data.auditEvents.nodes.map(({ id }: { id: string }) => id)
    }
    const idsOf = async (parameters: string) => (await readLog(admin, `?${parameters}`)).map(({ id }) => id)

    for (const [filter, parameters] of [
      [{}, ''],
      [{ actorMemberId: viewer.memberId }, `actor_member_id=${viewer.memberId}`],
      [{ outcome: 'REJECTED' }, 'outcome=rejected'],
      [{ method: 'PUT', route: null }, 'method=PUT'],
      [{ route: '/org/subscribers' }, 'route=/org/subscribers'],
      [{ service: 'IDENTITY' }, 'service=identity'],
      [{ requestId: all[0]?.request_id }, `request_id=${all[0]?.request_id}`],
      [{ createdId: 'acme' }, 'created_id=acme'],
      [{ occurredAfter: all[3]?.occurred_at }, `occurred_after=${all[3]?.occurred_at}`],
      [{ occurredBefore: all[3]?.occurred_at }, `occurred_before=${all[3]?.occurred_at}`],
      [
        {
          params: [
            { name: 'subscriber_id', value: 'acme' },
            { name: 'feature_key', value: 'sso' },
          ],
        },
        'params[subscriber_id]=acme&params[feature_key]=sso',
      ],
    ] as const) {
      expect(await found(filter), parameters).toEqual(await idsOf(parameters))
    }
    expect(await found({}, { first: 2, after: all[1]?.id })).toEqual([all[2]?.id, all[3]?.id])

    const refused = await admin.graphql(query, { filter: { requestId: 'x', route: 'y' }, first: 0 })
    expect(refused.body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', status: 422 })
    expect(
      refused.body.errors[0].extensions.details.fields.map(({ path }: { path: string }) => path).toSorted(),
    ).toEqual(['first', 'requestId', 'route'])
    const nul = await admin.graphql(query, { filter: { params: [{ name: 'key', value: 'a\u0000' }] } })
    expect(nul.body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'params', message: expect.stringMatching(/U\+0000/) }] },
    })
  })

  it("have an index for each path parameter of a route that is recorded in an organization's log", () => {
    const written = restRoutes.filter(
      ({ operation: { kind, ...operation } }) => kind.endsWith('write') || 'recorded' in operation,
    )
    for (const { operation } of written) {
      const isPersonal = 'recordedIn' in operation && operation.recordedIn === 'user'
      const known: readonly string[] = isPersonal ? [...indexedParams, ...personalLogParams] : indexedParams
      for (const [, name] of operation.route.matchAll(/\{(\w+)\}/g)) expect(known).toContain(name)
    }
  })
})

describe('entries', () => {
  it('cannot be changed or deleted, even in SQL', async () => {
    const admin = await service.organization()
    await requestSuccessfully(admin, 'POST', '/org/features', feature('sso'))
    const before = await readLog(admin)
    const where = `where organization_id = '${admin.organizationId}'`
    const { pool } = service.database

    for (const sql of [
      `delete from audit_event ${where}`,
      `update audit_event set details = null ${where}`,
      `update audit_event set outcome = 'no_response' ${where}`,
      `update audit_event set outcome = 'pending', status = null ${where}`,
      `update audit_event set outcome = outcome ${where}`,
    ]) {
      await expect(pool.query(sql), sql).rejects.toThrow('Entries of the audit log cannot be changed or deleted.')
    }
    expect(await readLog(admin)).toEqual(before)
  })

  it('get their outcome once, and cannot be changed in any other way', async () => {
    const admin = await service.organization()
    const { pool } = service.database
    const id = newId()
    await pool.query(
      `with entry as (
         insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type, service,
                                  method, route, params, ip, outcome)
         values ($1, $2, now(), $3, $4, 'member_apikey', 'api', 'POST', '/org/plans', '{}', '::1', 'pending'))
       insert into audit_event_unchained values ($1, $2)`,
      [admin.organizationId, id, `req_${id}`, admin.memberId],
    )
    const update = (columns: string) =>
      pool.query(`update audit_event set ${columns} where organization_id = $1 and audit_event_id = $2`, [
        admin.organizationId,
        id,
      ])

    const idsOf = async (query: string) => (await readLog(admin, query)).map(({ id }) => id)
    expect(await idsOf('?outcome=pending')).toEqual([id])
    await expect(update(`status = 200`)).rejects.toThrow('cannot be changed')
    const { rows: others } = await pool.query<{ name: string; value: string }>(
      `select column_name as name, case data_type when 'jsonb' then $$'{"key":"x"}'$$ when 'text' then $$'other'$$
                                                  else $$'2026-01-01'$$ end as value
         from information_schema.columns
        where table_name = 'audit_event' and column_name not in ('outcome', 'status', 'details', 'created_id', 'rare_outcome',
                                                                               'changed_at')`,
    )
    expect(others.length).toBeGreaterThan(10)
    for (const { name, value } of others) {
      await expect(update(`outcome = 'responded', ${name} = ${value}`), name).rejects.toThrow('cannot be changed')
    }
    await expect(update(`outcome = 'responded', rare_outcome = 'rejected'`)).rejects.toThrow('rare_outcome')
    await update(`outcome = 'responded', status = 201, details = '{}', created_id = 'x'`)
    expect(await idsOf('?outcome=pending')).toEqual([])
    await expect(update(`status = 200`)).rejects.toThrow('cannot be changed')
    await expect(update(`outcome = 'no_response', status = null`)).rejects.toThrow('cannot be changed')
  })
})

describe('a page of wide entries', () => {
  /** Entries with details of about this many bytes. */
  async function insertEntries(admin: Caller, count: number, bytes: number): Promise<void> {
    await requestSuccessfully(admin, 'POST', '/org/features', feature('seed'))
    await service.database.pool.query(
      `insert into audit_event
       select wide.*
         from audit_event e cross join generate_series(1, $2::int) i
        cross join jsonb_populate_record(e, jsonb_build_object(
                'audit_event_id', left(e.audit_event_id, 20) || lpad(i::text, 6, '0'), 'created_id', null,
                'details', case when i % 3 = 0 then null else json_build_object('i', i, 'text', repeat('x', $3::int))::text end)) wide
        where e.organization_id = $1`,
      [admin.organizationId, count, bytes],
    )
  }

  const idsOf = ({ body }: { body: { audit_events: { id: string }[] } }) => body.audit_events.map(({ id }) => id)

  async function storedIds({ organizationId }: Caller): Promise<string[]> {
    const { rows } = await service.database.pool.query(
      'select audit_event_id as id from audit_event where organization_id = $1 order by audit_event_id desc',
      [organizationId],
    )
    return rows.map(({ id }) => id)
  }

  it('has the requested number of entries, and the next page begins with the entry after them', async () => {
    const admin = await service.organization()
    await insertEntries(admin, 24, 600_000)

    const first = await admin.rest('GET', '/org/audit-events?limit=20')
    const second = await admin.rest('GET', `/org/audit-events?limit=20&starting_after=${idsOf(first).at(-1)}`)

    expect([idsOf(first).length, first.body.has_more]).toEqual([20, true])
    expect(second.body.has_more).toBe(false)
    expect([...idsOf(first), ...idsOf(second)]).toEqual(await storedIds(admin))
    const texts = first.body.audit_events.flatMap(
      ({ details }: Entry) => (details as { text?: string } | null)?.text ?? [],
    )
    expect(texts.length).toBeGreaterThan(10)
    for (const text of texts) expect(text).toHaveLength(600_000)
  })

  it('ends early once its details take 16 MiB, while an export has all entries', async () => {
    const admin = await service.organization()
    await insertEntries(admin, 24, 2_000_000)

    const first = await admin.rest('GET', '/org/audit-events?limit=100')
    const second = await admin.rest('GET', `/org/audit-events?limit=100&starting_after=${idsOf(first).at(-1)}`)
    const exported = await fetch(`${service.url}/org/audit-events`, {
      headers: { 'x-api-key': admin.key, accept: 'application/x-ndjson' },
    })

    expect(first.body.has_more).toBe(true)
    expect(idsOf(first).length).toBeLessThan(25)
    expect([...idsOf(first), ...idsOf(second)]).toEqual(await storedIds(admin))
    const lines = (await exported.text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(await storedIds(admin))
  })
})
