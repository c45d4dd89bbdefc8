import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { allowEntryDeletion } from '../../src/database/sql.ts'
import { startJobs } from '../../src/events/jobs.ts'
import { startServiceBehindProxy } from '../support/behind-proxy.ts'
import { startPatientService } from '../support/patient-service.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Caller, callerOf, startService } from '../support/service.ts'
import { auditOf, stateOf } from '../support/state.ts'
import { vendor } from '../support/vendor.ts'
import { countWakes } from '../support/wakes.ts'

const { proxy, service, direct, databaseUrl } = await startServiceBehindProxy()
const { database } = service
const wakesOf = await countWakes(direct)

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const putSeats = (caller: Caller, body: object = {}) =>
  caller.rest('PUT', '/org/subscribers/acme/overrides/seats', { kind: 'limit', limit: 5, ...body })

/** An organization with a webhook, the subscriber `acme` and the feature `seats`. */
async function organization(): Promise<Caller> {
  const caller = await service.organization()
  await vendor(caller).feature('seats', { kind: 'limit' })
  await vendor(caller).subscriber('acme')
  await caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
  return caller
}

async function lastEntry({ organizationId }: Caller) {
  const { outcome, status } = (await auditOf(database, organizationId)).at(-1) ?? {}
  return { outcome, status }
}

async function jobsOf({ organizationId }: Caller): Promise<string[]> {
  const { rows } = await direct.query(
    `select name from pgboss.job where data ->> 'organizationId' = $1 and state <> 'completed' order by name`,
    [organizationId],
  )
  return rows.map(({ name }) => name)
}

/** The caller at a service that waits as long for a lock as a slow machine holds it. */
async function atPatientService(caller: Caller): Promise<Caller> {
  return callerOf((await startPatientService({ DATABASE_URL: databaseUrl })).url, caller)
}

/** Runs the work while another transaction holds the subscriber's row, and releases it when the work calls `release`. */
async function whileHeld<Result>(
  { organizationId }: Caller,
  work: (release: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const holder = await direct.connect()
  try {
    await holder.query('begin')
    await holder.query('select from subscriber where organization_id = $1 for update', [organizationId])
    return await work(() => holder.query('rollback'))
  } finally {
    holder.release(true)
  }
}

/** The number of open transactions in which no statement runs. */
async function openTransactions(): Promise<number> {
  const { rowCount } = await direct.query(
    `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  )
  return rowCount ?? 0
}

/** Resolves once a write waits for a lock. Writes of other tests do not matter: they run in other databases of the server. */
async function untilWaiting(): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await direct.query(waiting)).rowCount).toBeGreaterThan(0)
}

describe('the last statements of a write, which are sent together with COMMIT', () => {
  it.each([
    { table: 'override', when: 'insert', value: 'new.organization_id', status: 500 },
    { table: 'webhook_event', when: 'insert', value: 'new.organization_id', status: 500 },
    { table: 'pgboss.job_common', when: 'insert', value: "new.data ->> 'organizationId'", status: 500 },
    { table: 'audit_event', when: 'update', value: 'new.organization_id', status: 503 },
  ])(
    'roll back together when the statement for $table fails, and the failure is recorded',
    async ({ table, when, value, status }) => {
      const caller = await organization()
      const before = await stateOf(database, caller.organizationId)
      const jobs = await jobsOf(caller)
      const name = `refuse_${caller.organizationId.toLowerCase()}`
      // Refuses only the outcome of a success, so that the outcome of the failure is recorded.
      const isSuccess = table === 'audit_event' ? 'and new.status < 300' : ''
      await direct.query(`
      create function ${name}() returns trigger language plpgsql as $$ begin raise 'this table is closed'; end $$;
      create trigger ${name} before ${when} on ${table} for each row
        when (${value} = '${caller.organizationId}' ${isSuccess}) execute function ${name}()`)

      const answer = await putSeats(caller, { expires_at: inAnHour() })
      await direct.query(`drop function ${name}() cascade`)

      expectRefusal(answer, status === 500 ? 'INTERNAL_ERROR' : 'SERVICE_UNAVAILABLE', null)
      expect(await stateOf(database, caller.organizationId)).toEqual(before)
      expect(await jobsOf(caller)).toEqual(jobs)
      expect(await lastEntry(caller)).toEqual({ outcome: 'responded', status })
      expect(await putSeats(caller)).toMatchObject({ status: 200 })
    },
  )

  it('change nothing, and the write is 503, if its audit entry already has an outcome', async () => {
    const caller = await organization()
    const before = await stateOf(database, caller.organizationId)
    const patient = await atPatientService(caller)

    const answer = await whileHeld(caller, async (release) => {
      const answering = putSeats(patient)
      await untilWaiting()
      await direct.query(
        `update audit_event set outcome = 'no_response', rare_outcome = 'no_response'
          where organization_id = $1 and outcome = 'pending'`,
        [caller.organizationId],
      )
      await release()
      return answering
    })

    expectRefusal(answer, 'SERVICE_UNAVAILABLE', null, /audit log/)
    expect(await stateOf(database, caller.organizationId)).toEqual(before)
    expect(await lastEntry(caller)).toEqual({ outcome: 'no_response', status: null })
  })

  it('change nothing, and the write is 503, if a crash of PostgreSQL lost its audit entry, which is inserted again', async () => {
    const caller = await organization()
    const before = await stateOf(database, caller.organizationId)
    const patient = await atPatientService(caller)

    const answer = await whileHeld(caller, async (release) => {
      const answering = putSeats(patient)
      await untilWaiting()
      for (const table of ['audit_event_unchained', 'audit_event']) {
        await direct.query(
          `with setting as materialized (select ${allowEntryDeletion})
           delete from ${table} using setting where organization_id = $1 and audit_event_id in (
             select audit_event_id from audit_event where organization_id = $1 order by audit_event_id desc limit 1)`,
          [caller.organizationId],
        )
      }
      await release()
      return answering
    })

    expectRefusal(answer, 'SERVICE_UNAVAILABLE', null, /audit log/)
    expect(await stateOf(database, caller.organizationId)).toEqual(before)
    expect((await auditOf(database, caller.organizationId)).at(-1)).toMatchObject({
      method: 'PUT',
      route: '/org/subscribers/{subscriber_id}/overrides/{feature_key}',
      outcome: 'responded',
      status: 503,
    })
  })

  it("never commit once the write's audit entry says 503, however late they arrive", async () => {
    const caller = await organization()
    const before = await stateOf(database, caller.organizationId)

    void proxy.trapNext('delayed on its way', 'hold before commit')
    const answer = await putSeats(caller, { note: 'delayed on its way' })
    expectRefusal(answer, 'SERVICE_UNAVAILABLE', null, /Nothing was changed/)
    expect(await lastEntry(caller)).toEqual({ outcome: 'responded', status: 503 })
    proxy.deliverHeld()

    await expect.poll(openTransactions).toBe(0)
    expect(await stateOf(database, caller.organizationId)).toEqual(before)
    expect(await lastEntry(caller)).toEqual({ outcome: 'responded', status: 503 })
  })

  it('change nothing, and the write is 503, if the connection is cut before all have arrived', async () => {
    const caller = await organization()
    const before = await stateOf(database, caller.organizationId)

    void proxy.trapNext('lost on its way', 'cut before commit')
    const answer = await putSeats(caller, { note: 'lost on its way' })

    expectRefusal(answer, 'SERVICE_UNAVAILABLE', null, /Nothing was changed/)
    expect(await stateOf(database, caller.organizationId)).toEqual(before)
    expect(await lastEntry(caller)).toEqual({ outcome: 'responded', status: 503 })
  })

  it('wake the workers once if there is an endpoint, and otherwise not at all', async () => {
    const [withWebhook, without] = [await organization(), await service.organization()]
    await vendor(without).feature('seats', { kind: 'limit' })
    await vendor(without).subscriber('acme')

    for (const caller of [without, withWebhook]) expect(await putSeats(caller)).toMatchObject({ status: 200 })

    await expect.poll(() => wakesOf(withWebhook.organizationId)).toBe(1)
    expect(wakesOf(without.organizationId)).toBe(0)
  })

  it('wake only the worker of their own process, if it has one', async () => {
    const caller = await organization()
    const woken: string[] = []
    const jobs = await startJobs(database, pino({ level: 'silent' }), {
      wake: (organizationIds) => woken.push(...organizationIds),
      test: () => {},
    })

    jobs.wake(caller.organizationId)
    await jobs.stop()

    // Notifications arrive in order: with the one of this write, any earlier one would have arrived as well.
    await putSeats(caller)
    await expect.poll(() => wakesOf(caller.organizationId)).toBeGreaterThan(0)
    expect(woken).toEqual([caller.organizationId])
    expect(wakesOf(caller.organizationId)).toBe(1)
  })
})

describe('the first statements of a write, which are sent together', () => {
  it('are checked in order, and the first that fails determines the refusal', async () => {
    const caller = await organization()

    const unknownSubscriber = await caller.rest('PUT', '/org/subscribers/nobody/overrides/nope', {
      kind: 'limit',
      limit: 1,
    })
    const malformed = await caller.rest('PUT', '/org/subscribers/acme%00/overrides/NO', { kind: 'limit', limit: 1 })
    const unknownFeature = await caller.rest('PUT', '/org/subscribers/acme/overrides/NO', { kind: 'limit', limit: 1 })

    expectRefusal(unknownSubscriber, 'NOT_FOUND', { resource: 'subscriber', id: 'nobody' })
    expectRefusal(malformed, 'NOT_FOUND', { resource: 'subscriber', id: 'acme\uFFFD' })
    expectRefusal(unknownFeature, 'NOT_FOUND', { resource: 'feature', id: 'NO' })
  })

  it('report that a lock was not granted in time, although later statements also fail', async () => {
    const caller = await organization()

    const impatient = new URL(databaseUrl)
    impatient.searchParams.set('lock_timeout', '500')
    const { url } = await startService({ DATABASE_URL: impatient.href })

    const answer = await whileHeld(caller, () => putSeats(callerOf(url, caller)))

    expectRefusal(answer, 'SERVICE_UNAVAILABLE', null)
    expect(await lastEntry(caller)).toEqual({ outcome: 'responded', status: 503 })
    expect(await putSeats(caller)).toMatchObject({ status: 200 })
  })

  it('change nothing if the caller is disabled before the transaction', async () => {
    const caller = await organization()
    const other = await service.member(caller.organizationId, 'support')
    const holder = await direct.connect()
    await holder.query('begin')
    await holder.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [
      `${caller.organizationId}/${other.memberId}`,
    ])
    await holder.query(`update member set status = 'disabled' where organization_id = $1 and member_id = $2`, [
      caller.organizationId,
      other.memberId,
    ])

    const answering = other.rest('POST', '/org/subscribers', { subscriber_id: 'new' })
    await untilWaiting()
    await holder.query('commit')
    holder.release()

    expectRefusal(await answering, 'UNAUTHORIZED', null)
    expect(await lastEntry(caller)).toEqual({ outcome: 'rejected', status: 401 })
    expect(await caller.rest('GET', '/org/subscribers/new')).toMatchObject({ status: 404 })
  })
})

it('writes of an organization that wait for a lock delay neither evals nor other organizations', async () => {
  const [waiting, other] = [await organization(), await organization()]

  await whileHeld(waiting, async (release) => {
    const writes = Array.from({ length: 40 }, () => putSeats(waiting))
    await untilWaiting()
    let ended = 0
    for (const write of writes) void write.finally(() => ended++)
    for (let round = 0; round < 10 && ended === 0; round++) {
      for (const send of [
        () => putSeats(other, { limit: round }),
        () => waiting.rest('POST', '/org/subscribers/acme/entitlements/check', { feature: 'seats' }),
        () => other.rest('GET', '/org/subscribers/acme/entitlements'),
      ]) {
        expect(await send()).toMatchObject({ status: 200 })
      }
      // Later rounds may take so long on a slow machine that the writes are refused meanwhile.
      if (round === 0) expect(ended).toBe(0)
    }
    await release()
    for (const { status } of await Promise.all(writes)) expect([200, 503]).toContain(status)
  })
})
