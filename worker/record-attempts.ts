import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { currentMs } from '../src/core/clock.ts'
import { asynchronousCommit, awaitInOrder } from '../src/database/sql.ts'
import { WriteConnection } from '../src/database/write-connection.ts'
import type { QueueName } from '../src/events/queues.ts'
import { exhaustedEventsToPause } from '../src/modules/webhook/webhook.ts'
import type { Clock } from './clock.ts'
import { classifyAttempt, countExhaustedEvents, type EventOutcome, type PauseCount } from './delivery-state.ts'
import type { AttemptResult } from './send.ts'

/** A finished attempt that is not recorded yet. */
export type FinishedAttempt = AttemptResult & {
  organizationId: string
  eventId: string
  /** The number of earlier attempts when the event was read. */
  attemptsBefore: number
  once: boolean
  /** The database's time when the event was queued; null if an older release queued it. */
  queuedAt: Date | null
  /** On the clock of `performance.now()`. */
  startedAt: number
  finishedAt: number
  /** The attempts, in the order of their starts, that enter the pause count now: those before the first running attempt. */
  counted: readonly CountedAttempt[]
}

/** The fields of an attempt on which the pause count depends. */
export type CountedAttempt = Pick<FinishedAttempt, 'eventId' | 'attemptsBefore' | 'once' | 'error'>

/** The earliest next attempt that was just scheduled for an organization. */
type NextAttempt = { organizationId: string; waitMs: number }

type AttemptWithOutcome = FinishedAttempt & { outcome: EventOutcome }

export type RecordOptions = { pool: pg.Pool; boss: PgBoss; clock: Clock; waitsSeconds: readonly number[] }

export type RecordResult = {
  /** Attempts that are now recorded, and attempts that are ignored because their event was deleted or changed meanwhile. */
  finished: FinishedAttempt[]
  /** Organizations whose endpoint a write has locked: their attempts are recorded later, so that the others do not wait. */
  lockedOrganizationIds: string[]
  /** Organizations whose endpoint these attempts paused. */
  paused: string[]
  next: NextAttempt[]
}

/**
 * Records attempts in the order in which they ended, with their results: the next attempt, the end of the event, a paused
 * endpoint. Uses one transaction, in two round trips, or three if there is a next attempt. If an event changed since it was
 * read (deleted with its endpoint, or attempted by another worker), its attempt is not recorded.
 */
export async function recordAttempts(
  options: RecordOptions,
  attempts: readonly FinishedAttempt[],
): Promise<RecordResult> {
  const connection = await WriteConnection.take(options.pool)
  try {
    // Do not wait for the disk. If PostgreSQL crashes within half a second, the last records are lost, as if the worker had
    // been killed before it wrote them: the attempts are repeated, with the same ids.
    const begun = connection.begin()
    const configured = connection.send({ text: `select ${asynchronousCommit}, ${withoutScans}`, values: [] })
    const [, , locked] = await awaitInOrder([begun, configured, lock(connection, attempts)])
    return await recordLockedAttempts(options, connection, attempts, locked)
  } catch (error) {
    connection.rollBack()
    throw error
  }
}

/**
 * SQL: forbids plans that scan the whole queue. PostgreSQL reuses the plans of the statements below, and may have made them
 * when the queue was empty. For the same reason, these statements look up rows one by one.
 */
const withoutScans = `set_config('enable_seqscan', 'off', true)`

async function recordLockedAttempts(
  options: RecordOptions,
  connection: WriteConnection,
  attempts: readonly FinishedAttempt[],
  { endpoints, lockedByOthers, eventIds }: Locked,
): Promise<RecordResult> {
  const { boss, clock, waitsSeconds } = options
  const finished = attempts.filter(({ organizationId }) => !lockedByOthers.has(organizationId))
  const toRecord = finished
    .filter(({ eventId }) => eventIds.has(eventId))
    .map((attempt) => ({ ...attempt, outcome: decideOutcome(attempt, waitsSeconds) }))
  const counts = findChangedCounts(options, { endpoints, eventIds }, finished)
  const next = findNextAttempts(toRecord)
  const writes = toRecord.length > 0 ? [writeAttempts(connection, clock, toRecord)] : []
  if (counts.size > 0) writes.push(writeCounts(connection, clock, counts))
  const statements = [...writes, sendWakes(connection, boss, next)]
  // pg-boss sends its statement a little later, and COMMIT must follow it.
  if (next.length > 0) await awaitInOrder(statements)
  await awaitInOrder([...statements, connection.commit()])
  const paused = [...counts].filter(([id, { disabled }]) => disabled && !endpoints.get(id)?.disabled)
  const pausedIds = paused.map(([organizationId]) => organizationId)
  return { finished, lockedOrganizationIds: [...lockedByOthers], paused: pausedIds, next }
}

function decideOutcome({ attemptsBefore, once, error }: CountedAttempt, waitsSeconds: readonly number[]): EventOutcome {
  return classifyAttempt({ number: attemptsBefore + 1, once, acknowledged: error === null }, waitsSeconds)
}

type Locked = {
  endpoints: Map<string, PauseCount>
  /** Organizations whose endpoint was skipped because a write has locked it. */
  lockedByOthers: Set<string>
  /** Events that have not changed since they were read. */
  eventIds: Set<string>
}

/** Locks endpoints by organization, then events by id: every change to an endpoint and its queue locks in this order. */
async function lock(connection: WriteConnection, attempts: readonly FinishedAttempt[]): Promise<Locked> {
  // Finds the events by their keys first, and compares their state afterwards.
  const { rows } = await connection.send({
    text: `with made as materialized (
         select * from unnest($1::text[], $2::text[], $3::int[]) as made (organization_id, event_id, made_before)
          order by organization_id, event_id),
       endpoint as materialized (
         select endpoint.* from (select distinct organization_id from made order by organization_id) wanted
          cross join lateral (
            select organization_id, exhausted_in_a_row, disabled from webhook_endpoint
             where organization_id = wanted.organization_id limit 1 for no key update skip locked) endpoint),
       event as materialized (
         select organization_id, event_id, event.state, event.attempts, made.made_before
           from (select * from made where organization_id in (select organization_id from endpoint)
                  order by organization_id, event_id) made
          cross join lateral (
            select state, attempts from webhook_event
             where organization_id = made.organization_id and event_id = made.event_id limit 1 for no key update) event)
       select organization_id, null as event_id, exhausted_in_a_row, disabled from endpoint
       union all
       select organization_id, event_id, null, null from event where state = 'queued' and attempts = made_before`,
    values: [
      attempts.map(({ organizationId }) => organizationId),
      attempts.map(({ eventId }) => eventId),
      attempts.map(({ attemptsBefore }) => attemptsBefore),
    ],
  })
  const locked: Locked = { endpoints: new Map(), lockedByOthers: new Set(), eventIds: new Set() }
  for (const { organization_id, event_id, exhausted_in_a_row, disabled } of rows as LockedRow[]) {
    if (event_id !== null) locked.eventIds.add(event_id)
    else locked.endpoints.set(organization_id, { exhaustedInARow: exhausted_in_a_row, disabled })
  }
  const missing = attempts.map(({ organizationId }) => organizationId).filter((id) => !locked.endpoints.has(id))
  if (missing.length === 0) return locked
  return { ...locked, lockedByOthers: await findExistingEndpoints(connection, [...new Set(missing)]) }
}

/** Returns which of these organizations, whose endpoint was not locked, have an endpoint: a write has locked it. */
async function findExistingEndpoints(
  connection: WriteConnection,
  organizationIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await connection.send({
    text: 'select organization_id from webhook_endpoint where organization_id = any($1)',
    values: [organizationIds],
  })
  return new Set((rows as { organization_id: string }[]).map(({ organization_id }) => organization_id))
}

/** A locked endpoint, or a locked event. */
type LockedRow = { organization_id: string; event_id: string | null; exhausted_in_a_row: number; disabled: boolean }

/**
 * Returns the pause counts that change, by organization. Ignores attempts of events that changed after they were read, and the
 * attempts that enter the count together with these: all may have been recorded before, if the reply to COMMIT was lost.
 */
function findChangedCounts(
  { waitsSeconds }: RecordOptions,
  { endpoints, eventIds }: Pick<Locked, 'endpoints' | 'eventIds'>,
  finished: readonly FinishedAttempt[],
): Map<string, PauseCount> {
  const changedEvents = new Set(finished.map(({ eventId }) => eventId).filter((eventId) => !eventIds.has(eventId)))
  const ofOrganizations = Map.groupBy(finished, ({ organizationId }) => organizationId)
  const counts = new Map<string, PauseCount>()
  for (const [organizationId, before] of endpoints) {
    const outcomes = (ofOrganizations.get(organizationId) ?? [])
      .filter(({ eventId }) => !changedEvents.has(eventId))
      .flatMap(({ counted }) => counted)
      .filter(({ eventId }) => !changedEvents.has(eventId))
      .map((attempt) => ({ once: attempt.once, outcome: decideOutcome(attempt, waitsSeconds) }))
    const after = countExhaustedEvents(before, outcomes, exhaustedEventsToPause)
    if (after.exhaustedInARow !== before.exhaustedInARow) counts.set(organizationId, after)
  }
  return counts
}

function writeAttempts(
  connection: WriteConnection,
  clock: Clock,
  attempts: readonly AttemptWithOutcome[],
): Promise<unknown> {
  const recordedAt = performance.now()
  const msSince = (time: number) => Math.max(0, recordedAt - time)
  return connection.send({
    text: `with clock as materialized (select ${clock.sql()} as now),
     made as materialized (
       select * from unnest($1::text[], $2::text[], $3::int[], $4::float8[], $5::int[], $6::int[], $7::text[], $8::text[],
                            $9::text[], $10::float8[], $11::text[])
         as made (organization_id, event_id, number, started_ms_ago, duration_ms, status, error, answer, state, due_in_ms,
                  headers)),
     attempt as (
       insert into webhook_attempt (organization_id, event_id, number, started_at, duration_ms, status, error, answer,
                                   headers)
       select organization_id, event_id, number, clock.now - started_ms_ago * interval '1 millisecond', duration_ms,
              status, error, answer, headers
         from made, clock)
     update webhook_event event
        set attempts = made.number,
            state = made.state::webhook_event_state,
            due_at = case when made.state = 'queued' then clock.now + made.due_in_ms * interval '1 millisecond' end,
            finished_at = case when made.state = 'queued' then null else clock.now end
       from clock, made
      cross join lateral (
        select ctid from webhook_event
         where organization_id = made.organization_id and event_id = made.event_id limit 1) found
      where event.ctid = found.ctid`,
    values: [
      attempts.map(({ organizationId }) => organizationId),
      attempts.map(({ eventId }) => eventId),
      attempts.map(({ attemptsBefore }) => attemptsBefore + 1),
      attempts.map(({ startedAt }) => msSince(startedAt)),
      attempts.map(({ startedAt, finishedAt }) => Math.round(finishedAt - startedAt)),
      attempts.map(({ status }) => status),
      attempts.map(({ error }) => error),
      attempts.map(({ answer }) => answer),
      attempts.map(({ outcome }) => outcome.state),
      // The wait counts from the end of the attempt, even if the database was unavailable meanwhile.
      attempts.map((each) =>
        each.outcome.state === 'queued' ? each.outcome.waitSeconds * 1000 - msSince(each.finishedAt) : 0,
      ),
      attempts.map(({ headers }) => headers && JSON.stringify(headers)),
    ],
  })
}

function writeCounts(
  connection: WriteConnection,
  clock: Clock,
  counts: ReadonlyMap<string, PauseCount>,
): Promise<unknown> {
  return connection.send({
    text: `update webhook_endpoint endpoint
        set exhausted_in_a_row = counted.exhausted,
            disabled = counted.disabled,
            disabled_at = case when counted.disabled then coalesce(endpoint.disabled_at, ${clock.sql()}) end,
            updated_at = case when counted.disabled = endpoint.disabled then endpoint.updated_at
                              else greatest(clock_timestamp(), endpoint.updated_at + interval '1 millisecond') end
       from unnest($1::text[], $2::int[], $3::boolean[]) as counted (organization_id, exhausted, disabled)
      where endpoint.organization_id = counted.organization_id`,
    values: [
      [...counts.keys()],
      [...counts.values()].map(({ exhaustedInARow }) => exhaustedInARow),
      [...counts.values()].map(({ disabled }) => disabled),
    ],
  })
}

function findNextAttempts(attempts: readonly AttemptWithOutcome[]): NextAttempt[] {
  const earliest = new Map<string, number>()
  for (const { organizationId, outcome } of attempts) {
    if (outcome.state !== 'queued') continue
    const waitMs = outcome.waitSeconds * 1000
    earliest.set(organizationId, Math.min(waitMs, earliest.get(organizationId) ?? Infinity))
  }
  return [...earliest].map(([organizationId, waitMs]) => ({ organizationId, waitMs }))
}

async function sendWakes(connection: WriteConnection, boss: PgBoss, next: readonly NextAttempt[]): Promise<void> {
  if (next.length === 0) return
  const queue: QueueName = 'webhook.wake'
  const jobs = next.map(({ organizationId, waitMs }) => ({
    data: { organizationId },
    startAfter: new Date(currentMs() + waitMs),
  }))
  await boss.insert(queue, jobs, { db: { executeSql: (text, values = []) => connection.send({ text, values }) } })
}
