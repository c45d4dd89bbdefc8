import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { Agent, request } from 'undici'
import { limitOf } from '../../support/limit-of.ts'
import { readSentEvents } from '../../support/sent-events.ts'
import type { Load, Target } from './load.ts'
import type { LoadedTenant } from './tenant.ts'

/** The changes that one replica has received from its organization. */
class Follower {
  readonly name: string
  readonly organizationId: string
  readonly ids = new Set<string>()
  /** The cursor to continue from; null before the first answer. */
  cursor: string | null = null
  /** The follower must receive every change since this time: its start, or its last reset. */
  since: number
  resets = 0
  readonly #now: () => number

  constructor(how: string, { organizationId }: LoadedTenant, now: () => number) {
    this.#now = now
    this.since = now()
    this.name = `a follower by ${how} of ${organizationId}`
    this.organizationId = organizationId
  }

  hear(body: string): void {
    this.ids.add(JSON.parse(body).id)
  }

  reset(cursor: string): void {
    this.since = this.#now()
    this.resets++
    this.cursor = cursor
  }
}

type Follow = (follower: Follower, key: string) => Promise<void>

export type FollowerResult = { findings: string[]; changes: number; resets: number }

/** A stream without an event for this long is broken: `alive` arrives at least every five seconds. */
const silenceMs = 10_000
/** Longer than a stopped or killed process stays down. */
const catchUpTimeoutMs = limitOf(90_000)
const retryMs = 50

/** Two replicas of each organization's product, one with a stream and one with polls. After an error they switch processes. */
export class Followers {
  readonly #followers: Follower[] = []
  readonly #target: () => Target
  readonly #agent = new Agent({ connections: 64, headersTimeout: silenceMs, bodyTimeout: silenceMs })
  readonly #running: Promise<unknown>
  readonly #ending = new AbortController()

  private constructor(tenants: readonly LoadedTenant[], target: () => Target, now: () => number) {
    this.#target = target
    const loops = tenants.flatMap((tenant) => {
      const [stream, poll] = [new Follower('stream', tenant, now), new Follower('polls', tenant, now)]
      this.#followers.push(stream, poll)
      return [this.#keepOn(stream, tenant, this.#stream), this.#keepOn(poll, tenant, this.#poll)]
    })
    this.#running = Promise.all(loops)
  }

  /**
   * Resolves when each follower has its first cursor: from then on it must receive every change. `now`: the time of the
   * database, in milliseconds.
   */
  static async start(tenants: readonly LoadedTenant[], target: () => Target, now: () => number): Promise<Followers> {
    const followers = new Followers(tenants, target, now)
    const endsAt = Date.now() + catchUpTimeoutMs
    while (followers.#followers.some(({ cursor }) => cursor === null) && Date.now() < endsAt) await wait(10)
    return followers
  }

  async end(): Promise<void> {
    this.#ending.abort()
    await this.#running
    await this.#agent.destroy()
  }

  /**
   * Called after the load, while the followers still run. Expects that they eventually receive each change in the database,
   * except changes before a reset, and that each received event is such a change.
   */
  async check(pool: pg.Pool, load: Load): Promise<FollowerResult> {
    const endsAt = Date.now() + catchUpTimeoutMs
    for (;;) {
      const followed = await this.#compare(pool, load)
      if (followed.findings.length === 0 || Date.now() > endsAt) return followed
      await wait(100)
    }
  }

  async #compare(pool: pg.Pool, load: Load): Promise<FollowerResult> {
    const organizationIds = load.tenants.map(({ organizationId }) => organizationId)
    const { rows } = await pool.query<{ id: string; organizationId: string; at: number }>(
      `select change_id as id, organization_id as "organizationId",
              extract(epoch from (body::json ->> 'occurred_at')::timestamptz)::float8 * 1000 as at
         from change where organization_id = any ($1)`,
      [organizationIds],
    )
    const { rows: events } = await pool.query<{ id: string }>(
      'select event_id as id from webhook_event where organization_id = any ($1)',
      [organizationIds],
    )
    const stored = new Set(rows.map(({ id }) => id))
    const findings = events.filter(({ id }) => !stored.has(id)).map(({ id }) => `event ${id} is no change`)
    for (const { name, organizationId, ids, since, cursor } of this.#followers) {
      if (cursor === null) findings.push(`${name} never began`)
      const its = rows.filter((row) => row.organizationId === organizationId)
      const missed = its.filter(({ id, at }) => at > since && !ids.has(id))
      if (missed.length > 0) findings.push(`${name} did not get ${missed.length} of ${its.length} changes`)
      const unknown = [...ids].filter((id) => !stored.has(id))
      if (unknown.length > 0 && !load.lostSome) findings.push(`${name} got ${unknown.length} changes that do not exist`)
    }
    return { findings, changes: rows.length, resets: this.#followers.reduce((sum, { resets }) => sum + resets, 0) }
  }

  async #keepOn(follower: Follower, { key }: LoadedTenant, follow: Follow): Promise<void> {
    while (!this.#ending.signal.aborted) {
      try {
        await follow(follower, key)
      } catch {
        await wait(retryMs)
      }
    }
  }

  readonly #stream: Follow = async (follower, key) => {
    const body = await this.#open('/org/changes', key, {
      accept: 'text/event-stream',
      ...(follower.cursor && { 'last-event-id': follower.cursor }),
    })
    for await (const { id, event, data } of readSentEvents(body)) {
      if (event === 'reset') follower.reset(id)
      else if (event.includes('.')) follower.hear(data)
      follower.cursor = id
    }
  }

  readonly #poll: Follow = async (follower, key) => {
    const query = follower.cursor === null ? '' : `?after=${follower.cursor}&wait=5`
    const body = await this.#open(`/org/changes${query}`, key, {})
    const answer = JSON.parse(await body.text())
    if (answer.reset) follower.reset(answer.cursor)
    for (const change of answer.changes) follower.hear(JSON.stringify(change))
    follower.cursor = answer.cursor
  }

  async #open(path: string, key: string, headers: Record<string, string>) {
    const { statusCode, body } = await request(this.#target().url + path, {
      dispatcher: this.#agent,
      signal: this.#ending.signal,
      headers: { 'x-api-key': key, ...headers },
    })
    if (statusCode === 200) return body
    throw new Error(`${statusCode} ${await body.text()}`)
  }
}
