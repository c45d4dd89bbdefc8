import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { importLines, importPath, importSuccessfully, toLines } from '../support/import.ts'
import { startPatientService } from '../support/patient-service.ts'
import { inTransaction, untilOthersWaitFor } from '../support/race.ts'
import type { Caller } from '../support/service.ts'
import { auditOf, stateOf } from '../support/state.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const service = await startPatientService()
const { pool } = service.database

async function organization() {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.feature('seats', { kind: 'limit' })
  await setup.plan('pro')
  return { caller, setup }
}

const customers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ subscriber_id: `s${from + index}`, plan_id: 'pro' }))

/** Opens a request whose lines the test sends one by one. */
function open(caller: Caller, headers: Record<string, string> = {}) {
  const clientRequest = request(service.url + importPath, {
    method: 'POST',
    headers: { 'x-api-key': caller.key, 'content-type': 'application/x-ndjson', ...headers },
  })
  clientRequest.on('error', () => {})
  const answered = new Promise<{ status: number; lines: string[] }>((resolve, reject) => {
    clientRequest.on('error', reject)
    clientRequest.on('response', async (response) => {
      const lines: string[] = []
      for await (const line of createInterface({ input: response })) lines.push(line)
      resolve({ status: response.statusCode as number, lines })
    })
  })
  answered.catch(() => {})
  clientRequest.flushHeaders()
  return {
    write: (lines: readonly object[]) => clientRequest.write(toLines(lines)),
    writeText: (text: string) => clientRequest.write(text),
    closed: new Promise((resolve) => clientRequest.on('socket', (socket) => socket.on('close', resolve))),
    end: () => clientRequest.end(),
    destroy: () => clientRequest.destroy(),
    answered,
  }
}

async function countOf(caller: Caller): Promise<number> {
  const { rows } = await pool.query('select count(*)::int from subscriber where organization_id = $1', [
    caller.organizationId,
  ])
  return rows[0].count
}

const untilStored = (caller: Caller, count: number) => until(async () => (await countOf(caller)) === count)
const entries = async (caller: Caller) =>
  (await auditOf(service.database, caller.organizationId)).filter(({ route }) => route === importPath)

describe('a running import', () => {
  it('is recorded as pending, applies lines as they arrive, and reports its progress', async () => {
    const { caller } = await organization()
    const running = open(caller, { accept: 'application/x-ndjson' })
    running.write(customers(3))

    await untilStored(caller, 3)
    expect((await entries(caller))[0]).toMatchObject({ outcome: 'pending', status: null })
    running.write(customers(1, 3))
    await untilStored(caller, 4)
    running.end()

    const { status, lines } = await running.answered
    expect(status).toBe(200)
    const { result } = JSON.parse(lines.at(-1) as string)
    expect(result).toEqual({ lines: 4, created: 4, updated: 0, unchanged: 0, failed: 0, errors: [] })
    for (const line of lines.slice(0, -1)) expect(JSON.parse(line)).toMatchObject({ progress: { failed: 0 } })
    expect((await entries(caller))[0]).toMatchObject({ outcome: 'responded', status: 200 })
  })

  it('ends when its key is revoked, and keeps the lines that it applied', async () => {
    const { caller } = await organization()
    const running = open(caller)
    running.write(customers(2))
    await untilStored(caller, 2)

    await pool.query('delete from api_key where organization_id = $1', [caller.organizationId])
    running.write(customers(2, 2))
    const { status, lines } = await running.answered

    expect(status).toBe(401)
    expect(JSON.parse(lines.join(''))).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
    expect(await countOf(caller)).toBe(2)
    const [request, ...applied] = await entries(caller)
    expect(request).toMatchObject({ outcome: 'rejected', status: 401 })
    expect(applied).toHaveLength(2)
  })

  it.each([
    ['is revoked', 401, 'delete from api_key where organization_id = $1'],
    ['belongs to a member who was disabled', 401, "update member set status = 'disabled' where organization_id = $1"],
    [
      'belongs to a member who may no longer import',
      403,
      "update member set role = 'viewer' where organization_id = $1",
    ],
  ])('ends together with its connection when its key %s, even if no line arrives', async (_, status, sql) => {
    const { caller } = await organization()
    const running = open(caller)
    running.writeText('\n\n{"subscriber_id":')
    await until(async () => (await entries(caller)).length === 1)

    await pool.query(sql, [caller.organizationId])
    const answer = await running.answered

    expect(answer.status).toBe(status)
    await running.closed
    expect(await entries(caller)).toMatchObject([{ outcome: 'rejected', status }])
  })

  it('keeps its applied lines when its connection breaks, and is completed when all lines are sent again', async () => {
    const { caller } = await organization()
    const running = open(caller)
    running.write(customers(2))
    await untilStored(caller, 2)
    running.destroy()
    await until(async () => (await entries(caller))[0]?.status === 400)
    expect((await entries(caller)).map(({ outcome }) => outcome)).toEqual(Array(3).fill('responded'))

    expect(await importSuccessfully(caller, customers(4))).toMatchObject({ created: 2, unchanged: 2 })
    expect(await countOf(caller)).toBe(4)
  })

  it('is one of at most two at once in an organization; a third is refused with 429', async () => {
    const { caller } = await organization()
    const two = [open(caller), open(caller)]
    for (const [index, one] of two.entries()) one.write(customers(1, index))
    await untilStored(caller, 2)

    const third = await importLines(caller, [])
    for (const one of two) one.end()
    for (const one of two) await one.answered

    expect(third).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
    // The entries of the two requests, and of their two lines.
    expect((await entries(caller)).map(({ status }) => status)).toEqual(Array(4).fill(200))
    expect(await importLines(caller, [])).toMatchObject({ status: 200 })
  })

  it('holds no slot that organizations share while it waits for lines from its client', async () => {
    const waiting: Awaited<ReturnType<typeof organization>>[] = []
    for (let count = 0; count < 30; count++) waiting.push(await organization())
    const running = waiting.map(({ caller }) => open(caller))
    for (const one of running) one.writeText('{"subscriber_id":"s0')
    await until(async () => (await Promise.all(waiting.map(({ caller }) => entries(caller)))).flat().length === 30)

    const { caller } = await organization()
    expect(await importSuccessfully(caller, customers(2))).toMatchObject({ created: 2 })

    for (const one of running) {
      one.writeText('"}')
      one.end()
    }
    for (const one of running) expect(await one.answered).toMatchObject({ status: 200 })
  })
})

describe('imports that run beside other writes', () => {
  it('of the same subscribers create each of them once', async () => {
    const { caller } = await organization()
    const lines = customers(600)

    const answers = await Promise.all([
      importSuccessfully(caller, lines),
      importSuccessfully(caller, lines.toReversed()),
    ])

    expect(answers[0].created + answers[1].created).toBe(600)
    expect(answers[0].unchanged + answers[1].unchanged).toBe(600)
    const { subscription } = await stateOf(service.database, caller.organizationId)
    expect(subscription).toHaveLength(600)
  })

  it('read a batch again when another client creates one of its subscribers at the same time', async () => {
    const { caller } = await organization()

    const answer = await inTransaction(pool, async (client) => {
      await client.query(
        `insert into subscriber (organization_id, subscriber_id, created_at, updated_at) values ($1, 's1', now(), now())`,
        [caller.organizationId],
      )
      const clientRequest = importLines(caller, customers(3))
      await untilOthersWaitFor(client)
      await client.query('commit')
      return clientRequest
    })

    expect(answer.body).toMatchObject({ lines: 3, created: 2, updated: 1, failed: 0 })
  })

  it('neither read nor change another organization', async () => {
    const [mine, theirs] = [await organization(), await organization()]
    await theirs.setup.subscriber('s0', { name: 'Theirs' })
    await theirs.setup.plan('secret')
    const before = await stateOf(service.database, theirs.caller.organizationId)

    const answer = await importSuccessfully(mine.caller, [
      { subscriber_id: 's0', name: 'Mine' },
      { subscriber_id: 's1', plan_id: 'secret' },
    ])

    expect(answer).toMatchObject({ created: 1, failed: 1 })
    expect(await stateOf(service.database, theirs.caller.organizationId)).toEqual(before)
  })
})

describe('invalid lines in an import', () => {
  it('fail without affecting valid lines', async () => {
    const { caller } = await organization()
    const deep = `{"subscriber_id":"deep","x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
    const text = [
      'x'.repeat(1_000_000),
      '{"subscriber_id":"nul","name":"a\\u0000b"}',
      '\u0000',
      deep,
      '{"subscriber_id":"__proto__","overrides":{"__proto__":null}}',
      '\n'.repeat(1_000_000),
      '{"subscriber_id":"last"}',
    ].join('\n')

    const answer = await caller.rest('POST', importPath, text)

    const codes = answer.body.errors.map(({ line, code }: { line: number; code: string }) => [line, code])
    expect(codes).toEqual([
      [1, 'BODY_TOO_LARGE'],
      [2, 'VALIDATION_ERROR'],
      [3, 'INVALID_JSON'],
      [5, 'NOT_FOUND'],
    ])
    expect(answer.body).toMatchObject({ lines: 6, created: 2 })
  })

  it('with malformed UTF-8 are refused, and the last line needs no line break', async () => {
    const { caller } = await organization()
    const body = Buffer.from('{"subscriber_id":"\xff"}\n{"subscriber_id":"a"}', 'latin1')

    const answer = await fetch(service.url + importPath, {
      method: 'POST',
      headers: { 'x-api-key': caller.key, 'content-type': 'application/x-ndjson' },
      body,
    })

    expect(await answer.json()).toMatchObject({ created: 1, failed: 1, errors: [{ line: 1, code: 'INVALID_JSON' }] })
  })
})
