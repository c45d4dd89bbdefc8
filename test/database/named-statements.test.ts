import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { type Caller, type LogEntry, startService, type TestService } from '../support/service.ts'

/** Makes each server connection forget the statements with this name, as behind a pooler that assigns another connection. */
async function forgetStatements({ ownDatabase: { pool } }: TestService, name: string): Promise<void> {
  const { _clients: clients } = pool as unknown as { _clients: pg.Client[] }
  const text = `
    do $$ declare found text; begin
      for found in select name from pg_prepared_statements where name like '${name}-%' loop
        execute format('deallocate %I', found);
      end loop;
    end $$`
  const forget = (client: pg.Client) =>
    new Promise<void>((resolve, reject) => {
      // Not sent as a statement of the service, which test/statements would check.
      const query = new pg.Query('select 1', undefined, (error: Error | undefined) =>
        error ? reject(error) : resolve(),
      )
      client.query(Object.assign(query, { submit: () => client.connection.query(text) }))
    })
  await Promise.all(clients.map(forget))
}

const check = (caller: Caller) => caller.rest('POST', '/org/subscribers/ann/entitlements/check', { feature: 'f' })
const put = (caller: Caller) => caller.rest('PUT', '/org/subscribers/ann/overrides/f', { kind: 'flag', allowed: true })
const putOnce = (caller: Caller) =>
  caller.rest(
    'PUT',
    '/org/subscribers/ann/overrides/f',
    { kind: 'flag', allowed: true },
    { 'idempotency-key': randomUUID() },
  )
const change = (caller: Caller) => caller.graphql('mutation { updateFeature(input: { key: "f", name: "G" }) { name } }')
const remove = (caller: Caller) => caller.rest('DELETE', '/org/features/f')
const list = (caller: Caller) => caller.rest('GET', '/org/features')

// The counted evals of a test must be of one month.
beforeEach(waitIfNearMidnight)

describe('a named statement that the server no longer knows', () => {
  it.each([
    ['an eval', 'the gate', 'eval-gate', check, 200],
    ['a write', 'its entry', 'record-organization-pending', put, 200],
    ['a write', 'its transaction, which is run again', 'write', put, 200],
    ['a write with a key', 'its entry', 'record-organization-pending-once', putOnce, 200],
    ['a write with a key', 'its transaction, which is run again', 'write', putOnce, 200],
    ['a mutation', 'its transaction, which is run again', 'write', change, 200],
    ['a refused write', 'its transaction, which is run again', 'write', remove, 409],
    ['a read', 'the look-up of its key', 'authenticate-key', list, 200],
  ])('does not fail %s if it is the statement of %s', async (_kind, _place, name, ask, status) => {
    const log: LogEntry[] = []
    const service = await startService({ LOG_LEVEL: 'warn' }, log)
    const admin = await service.organization()
    await admin.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    await admin.rest('POST', '/org/features', { key: 'f', name: 'F', kind: 'flag' })
    // The override comes first: while it exists, no request deletes the feature.
    await put(admin)
    const requests = [put, putOnce, check, list, remove, change]
    await Promise.all(requests.flatMap((each) => Array.from({ length: 6 }, () => each(admin))))

    await forgetStatements(service, name)
    const isNoticed = () => log.some(({ msg }) => msg.includes('did not know a prepared statement'))
    const answers: Awaited<ReturnType<typeof ask>>[] = []
    // Sends more requests at once each time, because not every connection of the pool has prepared the statement.
    for (let atOnce = 1; !isNoticed() && atOnce < 30; atOnce++) {
      answers.push(...(await Promise.all(Array.from({ length: atOnce }, () => ask(admin)))))
    }
    const later = await Promise.all([put(admin), check(admin), check(admin)])

    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]))
    expect(answers.flatMap(({ body }) => body.errors ?? [])).toEqual([])
    expect(later.map((each) => each.status)).toEqual([200, 200, 200])
    expect((await admin.rest('GET', '/org/eval-usage')).body.used).toBe(8 + (ask === check ? answers.length : 0))
    const { body } = await admin.rest('GET', '/org/audit-events?limit=100')
    const outcomes = body.audit_events.map(({ outcome }: { outcome: string }) => outcome)
    expect(new Set(outcomes)).toEqual(new Set(['responded']))
    expect(outcomes).toHaveLength(28 + ([put, putOnce, change, remove].includes(ask) ? answers.length : 0))
    const lines = log.filter(({ msg }) => msg.includes('did not know a prepared statement'))
    expect(lines.map(({ err }) => (err as Error).message)).toEqual([expect.stringContaining(`"${name}-`)])
  })
})
