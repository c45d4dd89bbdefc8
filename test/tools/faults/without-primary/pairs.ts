import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { limitOf } from '../../../support/limit-of.ts'
import type { Tenant } from '../../../support/tenants.ts'

/** An API process. It gets writes only while it reaches the primary. */
export type Target = { url: string; takesWrites: boolean }

/** The limit of a subscriber's override, which one writer raises repeatedly. */
export type RaisedLimit = { subscriber: string; sent: number; answered: number }

/** When a request was sent, and answered, by `performance.now()`. */
type Sent = { from: number; until: number }

const evalPauseMs = 10
const failedPauseMs = 50
const patienceMs = limitOf(30_000)

/**
 * Writers, each of which sends a write to one process and then an eval to the other, and for each of them a client that only
 * sends evals. An eval shows at least the writes that were answered before it was sent.
 */
export class Pairs {
  readonly #tenant: Tenant
  readonly #targets: readonly Target[]
  readonly #agent = new Agent({ connections: 64, headersTimeout: patienceMs, bodyTimeout: patienceMs })
  readonly #running: Promise<unknown>
  #isEnded = false
  #turn = 0
  /** Answered writes whose eval was answered. */
  count = 0
  readonly findings: string[] = []
  readonly granted: Sent[] = []
  /** Evals that got a 503. */
  readonly refused: Sent[] = []
  readonly written: Sent[] = []
  worstEvalMs = 0

  constructor(tenant: Tenant, targets: readonly Target[], all: readonly RaisedLimit[]) {
    this.#tenant = tenant
    this.#targets = targets
    this.#running = Promise.all(all.flatMap((raised) => [this.#write(raised), this.#evaluate(raised)]))
  }

  async end(): Promise<void> {
    this.#isEnded = true
    await this.#running
    await this.#agent.destroy()
  }

  /** Creates the subscribers, each with an override of 0. */
  static async prepare({ headers }: Tenant, url: string, writers: number): Promise<RaisedLimit[]> {
    const must = async (method: string, path: string, body: unknown) => {
      const answer = await fetch(url + path, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    }
    await must('POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' })
    const all = Array.from({ length: writers }, (_, n): RaisedLimit => ({ subscriber: `s${n}`, sent: 0, answered: 0 }))
    for (const { subscriber } of all) {
      await must('POST', '/org/subscribers', { subscriber_id: subscriber })
      await must('PUT', `/org/subscribers/${subscriber}/overrides/seats`, { kind: 'limit', limit: 0 })
    }
    return all
  }

  async #write(raised: RaisedLimit): Promise<void> {
    while (!this.#isEnded) {
      const target = this.#next((each) => each.takesWrites)
      if (target === undefined) {
        await wait(failedPauseMs)
        continue
      }
      const limit = ++raised.sent
      const path = `/org/subscribers/${raised.subscriber}/overrides/seats`
      const from = performance.now()
      const answer = await this.#send(target.url + path, 'PUT', { kind: 'limit', limit })
      if (answer.status === 200) {
        raised.answered = limit
        this.written.push({ from, until: performance.now() })
        const other = this.#targets.find((each) => each !== target) as Target
        if (await this.#check(other, raised)) this.count += 1
      } else if (answer.status !== null && answer.status !== 503) {
        this.findings.push(`a write was answered ${answer.status}: ${answer.text}`)
      } else await wait(failedPauseMs)
    }
  }

  async #evaluate(raised: RaisedLimit): Promise<void> {
    while (!this.#isEnded) {
      await this.#check(this.#next() as Target, raised)
      await wait(evalPauseMs)
    }
  }

  /** Sends a check; resolves to whether it was answered. */
  async #check({ url }: Target, raised: RaisedLimit): Promise<boolean> {
    const { answered } = raised
    const from = performance.now()
    const path = `/org/subscribers/${raised.subscriber}/entitlements/check`
    const answer = await this.#send(url + path, 'POST', { feature: 'seats' })
    const until = performance.now()
    this.worstEvalMs = Math.max(this.worstEvalMs, until - from)
    if (answer.status !== 200) {
      if (answer.status === 503) this.refused.push({ from, until })
      else this.findings.push(`an eval was answered ${answer.status ?? 'nothing'}: ${answer.text}`)
      return false
    }
    this.granted.push({ from, until })
    const { limit } = JSON.parse(answer.text)
    if (limit < answered) this.findings.push(`stale: ${raised.subscriber} is ${limit} after ${answered} was answered`)
    if (limit > raised.sent)
      this.findings.push(`wrong: ${raised.subscriber} is ${limit}, but ${raised.sent} was sent last`)
    return true
  }

  #next(isFit: (target: Target) => boolean = () => true): Target | undefined {
    const fit = this.#targets.filter(isFit)
    return fit[this.#turn++ % fit.length]
  }

  /** The status and the text; without an answer, the status is null and the text is the reason. */
  async #send(url: string, method: 'POST' | 'PUT', body: object): Promise<{ status: number | null; text: string }> {
    try {
      const headers = { ...this.#tenant.headers, 'content-type': 'application/json' }
      const response = await request(url, { dispatcher: this.#agent, method, headers, body: JSON.stringify(body) })
      return { status: response.statusCode, text: await response.body.text() }
    } catch (error) {
      return { status: null, text: String(error) }
    }
  }
}
