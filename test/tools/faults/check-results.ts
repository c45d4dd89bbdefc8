import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { limitOf } from '../../support/limit-of.ts'
import type { Load } from './load.ts'
import { readStoredData, type StoredData } from './stored-data.ts'
import { Subject } from './subject.ts'
import { isDone, isOpen, isSuccess, type Write } from './write.ts'

export type Verdict = {
  findings: string[]
  answered: number
  refused: number
  /** Writes without an answer, or with an answer that leaves the outcome open. */
  unknown: number
  entries: number
  /** Writes answered with success that are not in the database. */
  lost: number
}

/** Longer than the service takes to record an entry's outcome after any fault. */
const settleTimeoutMs = limitOf(60_000)

/** Compares what the clients saw with the database, once no entry is pending. */
export async function checkResults(pool: pg.Pool, load: Load): Promise<Verdict> {
  const { writes, tenants } = load
  const organizationIds = tenants.map(({ organizationId }) => organizationId)
  const stored = await readSettled(pool, organizationIds, load)
  const findings: string[] = []
  let lost = 0
  for (const write of writes) {
    const lie = findFalseAnswer(write, stored)
    if (isDone(write) && !isSuccess(stored.entries.get(write.id))) lost++
    if (lie === null || (load.lostSome && isExpectedLoss(load, write, stored))) continue
    findings.push(`${describe(write)}: ${lie}`)
  }
  const known = new Set(writes.map(({ id }) => id))
  for (const id of stored.entries.keys()) if (!known.has(id)) findings.push(`the log has ${id}, which was not sent`)
  for (const tenant of tenants) {
    for (const { override, plan } of tenant.writers) {
      for (const subject of [override, plan])
        findings.push(...checkSubject(tenant.organizationId, subject, writes, stored))
    }
  }
  return {
    findings,
    lost,
    answered: writes.filter(isDone).length,
    refused: writes.filter((write) => write.status === 503 && !isOpen(write)).length,
    unknown: writes.filter((write) => write.status === null || isOpen(write)).length,
    entries: stored.entries.size,
  }
}

async function readSettled(pool: pg.Pool, organizationIds: string[], load: Load): Promise<StoredData> {
  const settled = load.writes.filter((write) => !write.process?.wasKilled && !(load.lostSome && load.mayBeLost(write)))
  const survivors = new Set(settled.map(({ id }) => id))
  const endsAt = Date.now() + settleTimeoutMs
  for (;;) {
    const stored = await readStoredData(pool, organizationIds)
    const isSettled = ![...stored.entries].some(([id, { outcome }]) => outcome === 'pending' && survivors.has(id))
    if (isSettled || Date.now() > endsAt) return stored
    await wait(100)
  }
}

/**
 * Whether the write may be missing: the database that executed it was lost, together with its entry or all of the entry but
 * the `pending` record; or the write names a subscriber that was lost in this way.
 */
function isExpectedLoss(load: Load, write: Write, stored: StoredData): boolean {
  if (write.status === 404) return write.what.kind === 'subscription'
  const outcome = stored.entries.get(write.id)?.outcome ?? 'pending'
  return load.mayBeLost(write) && outcome === 'pending' && !stored.has(write)
}

/** Describes a mistake in a write's entry, or in its data in the database; null if both match the answer. */
function findFalseAnswer(write: Write, stored: StoredData): string | null {
  const entry = stored.entries.get(write.id)
  const isThere = write.what instanceof Subject ? null : stored.has(write)
  const says = `the entry says ${entry ? `${entry.outcome} ${entry.status}` : 'nothing'}`
  if (entry && entry.count > 1) return `it has ${entry.count} entries`
  if (isThere !== null && isThere !== isSuccess(entry)) return `${says}, but it is ${isThere ? '' : 'not '}there`
  if (isDone(write)) return isSuccess(entry) && entry?.status === write.status ? null : says
  if (entry?.outcome === 'pending') return write.process?.wasKilled ? null : says
  if (write.status === null) return write.process?.wasKilled ? null : `there was no answer; ${says}`
  if (write.status !== 503) return `the answer is unexpected: ${write.message}`
  if (isOpen(write)) return isSuccess(entry) || entry?.outcome === 'no_response' ? null : says
  return entry === undefined || entry.status === 503 ? null : says
}

/** Checks that the value in the database comes from an executed write, and is no older than the last answered write. */
function checkSubject(
  organizationId: string,
  subject: Subject,
  writes: readonly Write[],
  stored: StoredData,
): string[] {
  const its = writes.filter((write) => write.what === subject)
  const done = new Set([0, ...its.filter(({ id }) => isSuccess(stored.entries.get(id))).map(({ value }) => value)])
  const value = stored.valueOf(organizationId, subject)
  const findings: string[] = []
  const name = `${organizationId} ${subject.about}`
  if (value < subject.answered) findings.push(`${name}: is ${value}, though ${subject.answered} was answered`)
  if (!done.has(value)) findings.push(`${name}: is ${value}, of a write that was not done`)
  for (const seen of subject.seen) {
    if (!done.has(seen)) findings.push(`${name}: an eval showed ${seen}, of a write that was not done`)
  }
  return findings
}

/** Describes a write and its answer, for a finding. */
function describe({ organizationId, what, value, status, process }: Write): string {
  const killed = process?.wasKilled ? ', by a process that was killed' : ''
  return `${organizationId} ${what.kind} ${what.key} = ${value}, answered ${status ?? 'nothing'}${killed}`
}
