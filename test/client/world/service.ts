import { encodeTime } from 'ulidx'
import type { FetchAnswer, FetchInit } from '../../../src/client/platform.ts'
import { History } from './history.ts'
import { Stream } from './stream.ts'
import type { VirtualTime } from './virtual-time.ts'

export type SentChange = { id: string; type: string; subscriber_id?: string; key?: string; cause?: string }
type Subscriber = { plan: string; endsAt: number | null }

export const feature = 'level'
export const subscribers = ['ada', 'bob'] as const
/** The service's clock is an hour ahead of the client's. */
const clockAheadMs = 3_600_000

export function toSentEvent(id: string, event: string, data: string): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`
}

/**
 * The service as its clients see it, in virtual time: commits, snapshots with `ETag` and `valid_until`, the feed, and everything
 * that goes wrong on the way. The value of the one feature is the number of the last commit that concerns the subscriber.
 */
export class WorldService {
  readonly history = new History()
  readonly log: SentChange[] = []
  /** The time up to which the client knows that it has all changes. */
  heardUntil = Number.NEGATIVE_INFINITY
  isDown = false
  readonly #time: VirtualTime
  readonly #random: () => number
  /** How long messages travel, and how often the service sends them: some worlds are slow, some are quick. */
  readonly #travelMs: number
  readonly #speaksMs: number
  readonly #subscribers = new Map<string, Subscriber>(subscribers.map((id) => [id, { plan: 'free', endsAt: null }]))
  #streams: Stream[] = []
  #hasForgottenCursors = false

  constructor(time: VirtualTime, random: () => number) {
    this.#time = time
    this.#random = random
    this.#travelMs = random() < 0.5 ? 30 : 600
    this.#speaksMs = random() < 0.5 ? 100 : 3_000
    this.#speakNowAndThen()
  }

  changeOne(id: string, cause = 'override'): void {
    this.history.commit([id], this.#time.now)
    this.#log({ type: 'entitlements.stale', subscriber_id: id, cause })
  }

  changePlan(key: string): void {
    const concerned = [...this.#subscribers].filter(([, { plan }]) => plan === key).map(([id]) => id)
    this.history.commit(concerned, this.#time.now)
    this.#log({ type: 'plan.grants.updated', key })
  }

  changeCatalog(): void {
    this.history.commit(subscribers, this.#time.now)
    this.#log({ type: 'catalog.updated' })
  }

  switchPlan(id: string): void {
    const subscriber = this.#get(id)
    subscriber.plan = subscriber.plan === 'free' ? 'pro' : 'free'
    this.changeOne(id, 'subscription')
  }

  /** Puts an override that ends after `ms`. */
  putEnding(id: string, ms: number): void {
    this.#endAt(id, this.#time.now + ms)
    this.changeOne(id)
  }

  /** Moves the end of the subscriber's override, if there is one, to an earlier time. */
  moveEnd(id: string): void {
    const { endsAt } = this.#get(id)
    if (endsAt === null) return
    this.#endAt(id, this.#time.now + (endsAt - this.#time.now) * this.#random())
    this.#log({ type: 'entitlements.end_moved', subscriber_id: id })
  }

  /** Ends the service's streams. With `forget`, the service does not know earlier cursors afterwards. */
  restart(downMs: number, forget: boolean): void {
    this.#hasForgottenCursors ||= forget
    this.isDown = true
    for (const stream of this.#streams) stream.end(this.#random() < 0.5 ? 'ended' : 'broken')
    this.#time.later(downMs, () => {
      this.isDown = false
    })
  }

  cutStreams(): void {
    for (const stream of this.#streams) stream.end('broken')
  }

  holdStreams(ms: number): void {
    for (const stream of this.#streams) stream.stall(ms)
  }

  readonly fetch = async (url: string, init: FetchInit): Promise<FetchAnswer> => {
    await this.#delay(init)
    const fault = this.#random()
    if (this.isDown || fault < 0.03) throw new TypeError('fetch failed')
    if (fault < 0.05)
      return this.#answer(503, '{"error":{"code":"SERVICE_UNAVAILABLE","message":""}}', { 'retry-after': '1' })
    if (fault < 0.06) return this.#answer(429, '{"error":{"code":"RATE_LIMITED","message":""}}', { 'retry-after': '1' })
    if (fault < 0.07) await this.#hang(init)
    const answer = this.#handle(new URL(url).pathname, init)
    await this.#delay(init)
    return answer
  }

  #handle(path: string, { method = 'GET', headers = {}, body: sent, signal }: FetchInit): FetchAnswer {
    if (path === '/org/changes') return this.#openStream(headers['last-event-id'], signal as AbortSignal)
    if (path === '/org/entitlements') return this.#answerMany(JSON.parse(sent ?? '').subscriber_ids)
    const [, , , id = ''] = path.split('/')
    if (method === 'PUT') {
      this.changeOne(id)
      return this.#answer(200, '{}')
    }
    const { version, body } = this.#snapshotOf(id)
    const etag = `"${version} ${body.plan} ${body.valid_until}"`
    if (headers['if-none-match'] === etag) return this.#answer(304, '', { etag })
    return this.#answer(200, JSON.stringify(body), { etag })
  }

  #snapshotOf(id: string) {
    const { plan, endsAt } = this.#get(id)
    const validUntil = endsAt === null ? null : new Date(endsAt + clockAheadMs).toISOString()
    const version = this.history.currentVersion(id)
    const source = endsAt === null ? 'plan' : 'override'
    const item = { feature, kind: 'config', allowed: true, value: version, source, expires_at: validUntil }
    return { version, body: { subscriber_id: id, plan, entitlements: [item], valid_until: validUntil } }
  }

  /** Sometimes leaves out all subscribers but the first, as the service does when its answer would be too large. */
  #answerMany(ids: readonly string[]): FetchAnswer {
    const fitting = this.#random() < 0.8 ? ids.length : 1
    const snapshots = ids.slice(0, fitting).map((id) => this.#snapshotOf(id).body)
    return this.#answer(200, JSON.stringify({ snapshots, unknown: [], left: ids.slice(fitting) }))
  }

  #openStream(after: string | undefined, signal: AbortSignal): FetchAnswer {
    const isReset = after !== undefined && this.#hasForgottenCursors
    const sent = after === undefined || isReset ? this.log.length : Number(after)
    if (isReset) this.#hasForgottenCursors = false
    const onHeard = (until: number) => {
      this.heardUntil = Math.max(this.heardUntil, until)
    }
    const stream = new Stream(this.#time, this.#random, { sent, onHeard })
    // A closed client receives nothing more.
    signal.addEventListener('abort', () => stream.end('broken'))
    this.#streams = [...this.#streams.filter(({ isOpen }) => isOpen), stream]
    stream.begin(isReset ? 'reset' : 'ready', after !== undefined)
    return { ...this.#answer(200, ''), body: stream.body }
  }

  #answer(status: number, text: string, headers: Record<string, string> = {}): FetchAnswer {
    const id = `req_${encodeTime(Math.floor(this.#time.now + clockAheadMs), 10)}${'0'.repeat(16)}`
    const all = new Map(Object.entries({ ...headers, 'x-request-id': id }))
    return { status, headers: { get: (name) => all.get(name) ?? null }, body: null, text: async () => text }
  }

  /** Rejects when the client has given up. */
  #delay({ signal }: FetchInit, ms = this.#random() * this.#travelMs): Promise<void> {
    const abortSignal = signal as AbortSignal | undefined
    return new Promise((resolve, reject) => {
      const refuse = () => reject(new Error('aborted'))
      if (abortSignal?.aborted) return refuse()
      abortSignal?.addEventListener('abort', refuse)
      this.#time.later(ms, resolve)
    })
  }

  #hang(init: FetchInit): Promise<void> {
    return this.#delay(init, 20_000)
  }

  #get(id: string): Subscriber {
    const subscriber = this.#subscribers.get(id)
    if (!subscriber) throw new Error(`There is no subscriber ${id}.`)
    return subscriber
  }

  #endAt(id: string, endsAt: number): void {
    const subscriber = this.#get(id)
    const setAt = this.#time.now
    subscriber.endsAt = Math.ceil(endsAt)
    const endToStore = subscriber.endsAt
    this.#time.later(endToStore - setAt, () => {
      if (subscriber.endsAt !== endToStore) return
      subscriber.endsAt = null
      this.history.commit([id], endToStore, setAt)
      this.#time.later(this.#random() * 4_000, () =>
        this.#log({ type: 'entitlements.stale', subscriber_id: id, cause: 'expiry' }),
      )
    })
  }

  #log(change: Omit<SentChange, 'id'>): void {
    this.log.push({ id: String(this.log.length + 1), ...change })
  }

  #speakNowAndThen(): void {
    this.#time.later(this.#random() * this.#speaksMs, () => {
      for (const stream of this.#streams)
        if (stream.isOpen && !this.isDown) stream.sendChanges(this.log, this.#random() < 0.7)
      this.#speakNowAndThen()
    })
  }
}
