import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { limitOf } from '../../support/limit-of.ts'
import type { Load } from './load.ts'
import { readStoredData } from './stored-data.ts'
import type { LoadedTenant } from './tenant.ts'
import { isSuccess, type Write } from './write.ts'

export type Deliveries = { findings: string[]; events: number; lost: number; repeated: number; overtaken: number }

type Event = { organization_id: string; event_id: string; state: string; body: string }

/** Longer than any event may take after any fault. */
const deliveryTimeoutMs = limitOf(90_000)
/** Two attempts may be in flight at once if the first is slow, and may arrive in any order. A busy machine may take longer. */
const overtakingMs = 2_000

/**
 * Expects that every event in the database arrives, and nothing else; that each executed write queued one event, and that no
 * other write queued any; and that events arrive in the order of their writes, if one was sent after the other's answer.
 */
export async function checkDeliveries(pool: pg.Pool, load: Load, isLong: boolean): Promise<Deliveries> {
  const organizationIds = load.tenants.map(({ organizationId }) => organizationId)
  const events = await readDelivered(pool, organizationIds)
  const { entries } = await readStoredData(pool, organizationIds)
  const done = load.writes.filter(({ id }) => isSuccess(entries.get(id)))
  const { writeOf, findings } = matchWrites(done, events)
  const result: Deliveries = { findings, events: events.length, lost: 0, repeated: 0, overtaken: 0 }
  for (const { event_id, state } of events) {
    if (state !== 'delivered') findings.push(`event ${event_id} is ${state} at the end`)
  }
  for (const tenant of load.tenants) {
    const its = events.filter(({ organization_id }) => organization_id === tenant.organizationId)
    const strangers = checkArrivals(tenant, its, { writeOf, isLong }, result)
    // Otherwise these events come from the database that was lost.
    if (!load.lostSome) findings.push(...strangers)
  }
  return result
}

/** The events in the order of the database, once all are delivered. */
async function readDelivered(pool: pg.Pool, organizationIds: string[]): Promise<Event[]> {
  const endsAt = Date.now() + deliveryTimeoutMs
  for (;;) {
    const { rows } = await pool.query<Event>(
      'select organization_id, event_id, state, body from webhook_event where organization_id = any ($1) order by sequence',
      [organizationIds],
    )
    if (rows.every(({ state }) => state === 'delivered') || Date.now() > endsAt) return rows
    await wait(100)
  }
}

/** Events of one subject were written one after the other, so the nth event belongs to the nth executed write. */
function matchWrites(done: readonly Write[], events: readonly Event[]) {
  const writesOf = Map.groupBy(
    done.filter(({ what }) => what.kind !== 'service account' && what.kind !== 'subscriber'),
    ({ organizationId, what: { kind, key } }) => `${organizationId} ${kind === 'plan' ? 'plan' : 'subscriber'} ${key}`,
  )
  const eventsOf = Map.groupBy(events, ({ organization_id, body }) => {
    const { type, key, subscriber_id } = JSON.parse(body)
    return `${organization_id} ${type === 'plan.grants.updated' ? `plan ${key}` : `subscriber ${subscriber_id}`}`
  })
  const findings: string[] = []
  const writeOf = new Map<string, Write>()
  for (const name of new Set([...writesOf.keys(), ...eventsOf.keys()])) {
    const [writes, its] = [writesOf.get(name) ?? [], eventsOf.get(name) ?? []]
    if (writes.length !== its.length) findings.push(`${name} has ${its.length} events of ${writes.length} writes`)
    for (const [index, { event_id }] of its.entries()) writeOf.set(event_id, writes[index] as Write)
  }
  return { writeOf, findings }
}

/** Records arrivals, and returns findings about events that arrived and are not in the database. */
function checkArrivals(
  { organizationId, receiver }: LoadedTenant,
  events: readonly Event[],
  { writeOf, isLong }: { writeOf: ReadonlyMap<string, Write>; isLong: boolean },
  result: Deliveries,
): string[] {
  const firstAt = new Map<string, number>()
  for (const { id, at } of receiver.received) {
    if (firstAt.has(id)) result.repeated++
    else firstAt.set(id, at)
  }
  const arrived: { write: Write; at: number }[] = []
  for (const { event_id } of events) {
    const [at, write] = [firstAt.get(event_id), writeOf.get(event_id)]
    if (at === undefined) {
      result.lost++
      result.findings.push(`${organizationId}: event ${event_id} did not arrive`)
    } else if (write) arrived.push({ write, at })
    firstAt.delete(event_id)
  }
  checkOrder(organizationId, arrived, isLong, result)
  return [...firstAt.keys()].map((id) => `${organizationId}: event ${id} is not in the database`)
}

function checkOrder(
  organizationId: string,
  arrived: readonly { write: Write; at: number }[],
  isLong: boolean,
  result: Deliveries,
): void {
  for (const { write, at } of arrived) {
    const before = arrived.filter((other) => other.write.answeredAt < write.sentAt && other.at > at)
    if (before.length === 0) continue
    result.overtaken++
    const byMs = Math.max(...before.map((other) => other.at - at))
    if (isLong && byMs > overtakingMs) {
      result.findings.push(
        `${organizationId}: the event of ${write.id} came ${Math.round(byMs)} ms before an earlier one`,
      )
    }
  }
}
