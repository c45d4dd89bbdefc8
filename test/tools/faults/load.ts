import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { limitOf } from '../../support/limit-of.ts'
import type { Process } from './stage.ts'
import type { Subject } from './subject.ts'
import type { LoadedTenant, Writer } from './tenant.ts'
import { untilInTime } from './until-in-time.ts'
import { type Creation, isDone, type Write } from './write.ts'

/** The address that a request is sent to. */
export type Target = { url: string; process: Process | null }

type Answer = { status: number | null; text: string }

/** Longer than any answer may take: after this time, a request counts as unanswered. */
const patienceMs = limitOf(60_000)
const pauseMs = 25

/** Writers, each of which sends writes and evals one after another; the ledger records all of them. */
export class Load {
  readonly writes: Write[] = []
  readonly findings: string[] = []
  readonly tenants: readonly LoadedTenant[]
  evals = 0
  worstMs = 0
  /** When the last successful request was answered. */
  readonly lastGood = { write: 0, eval: 0 }
  goodWrites = 0
  #sent = 0
  readonly #target: () => Target
  readonly #random: () => number
  /** Answered writes that were sent between these two times may be lost. */
  readonly #loss = { from: Infinity, until: Infinity }
  readonly #agent = new Agent({ connections: 64, headersTimeout: patienceMs, bodyTimeout: patienceMs })
  readonly #running: Promise<unknown>
  #isEnded = false

  constructor(tenants: readonly LoadedTenant[], target: () => Target, random: () => number) {
    this.tenants = tenants
    this.#target = target
    this.#random = random
    const loops = tenants.flatMap((tenant) =>
      tenant.writers.flatMap((writer) => [this.#write(tenant, writer), this.#evaluate(tenant, writer)]),
    )
    this.#running = Promise.all(loops)
  }

  /** Resolves when this many more writes have succeeded. */
  goodWritesAfter(count: number): Promise<void> {
    const total = this.goodWrites + count
    return untilInTime(() => this.goodWrites >= total, 'no more writes go well')
  }

  /** From now on, answers come from a database that will be lost. */
  beginLoss(): void {
    this.#loss.from = performance.now()
  }

  /** From now on, another database answers: forgets the values that evals returned from the lost one. */
  endLoss(): void {
    this.#loss.until = performance.now()
    for (const { writers } of this.tenants) {
      for (const subject of writers.flatMap(({ override, plan }) => [override, plan])) {
        const kept = this.writes.filter((write) => write.what === subject && isDone(write) && !this.mayBeLost(write))
        subject.answered = Math.max(0, ...kept.map(({ value }) => value))
        subject.seen.clear()
      }
    }
  }

  get lostSome(): boolean {
    return this.#loss.until < Infinity
  }

  mayBeLost({ sentAt, answeredAt }: Write): boolean {
    return answeredAt >= this.#loss.from && sentAt < this.#loss.until
  }

  async end(): Promise<void> {
    this.#isEnded = true
    await this.#running
    await this.#agent.destroy()
  }

  async #write(tenant: LoadedTenant, { name, override, plan }: Writer): Promise<void> {
    for (let count = 1; !this.#isEnded; count++) {
      const subscriber = `${name}-${count}`
      const turn = Math.floor(this.#random() * 5)
      if (turn < 2) await this.#set(tenant, override)
      else if (turn === 2) await this.#set(tenant, plan)
      else if (turn === 3) await this.#create(tenant, { kind: 'service account', key: subscriber })
      else if (await this.#create(tenant, { kind: 'subscriber', key: subscriber })) {
        await this.#create(tenant, { kind: 'subscription', key: subscriber }, plan.key)
      }
      await wait(this.#random() * pauseMs)
    }
  }

  async #set(tenant: LoadedTenant, subject: Subject): Promise<void> {
    const value = ++subject.sent
    const write = await this.#send(tenant, subject, [subject.method, subject.path, subject.bodyOf(value)], value)
    // Do not compare with a value that may be lost.
    if (write && isDone(write) && !(this.lostSome && this.mayBeLost(write))) subject.answered = value
  }

  async #create(tenant: LoadedTenant, what: Creation, plan = ''): Promise<boolean> {
    const { kind, key } = what
    const asked: [string, unknown] =
      kind === 'subscriber'
        ? ['/org/subscribers', { subscriber_id: key }]
        : kind === 'subscription'
          ? [`/org/subscribers/${key}/subscriptions`, { plan_id: plan }]
          : ['/org/service-accounts', { name: key, role: 'viewer' }]
    const write = await this.#send(tenant, what, ['POST', ...asked], 0)
    return write !== null && isDone(write)
  }

  /** The recorded write; null if it was not sent, because no process listened. */
  async #send(
    { organizationId, key }: LoadedTenant,
    what: Write['what'],
    [method, path, body]: [string, string, unknown],
    value: number,
  ): Promise<Write | null> {
    const { url, process } = this.#target()
    const id = `ledger-${++this.#sent}`
    const write: Write = {
      id,
      organizationId,
      what,
      value,
      status: null,
      message: '',
      sentAt: performance.now(),
      answeredAt: Infinity,
      process,
    }
    this.writes.push(write)
    const answer = await this.#ask(url + path, method, body, { 'x-api-key': key, 'user-agent': id })
    if (answer === null) {
      this.writes.splice(this.writes.indexOf(write), 1)
      await wait(50)
      return null
    }
    Object.assign(write, { status: answer.status, message: messageOf(answer.text) })
    if (answer.status !== null) write.answeredAt = performance.now()
    if (isDone(write)) {
      this.lastGood.write = performance.now()
      this.goodWrites++
    }
    return write
  }

  /** Expects that an eval sent after a write's answer returns that write's value or a later one. */
  async #evaluate({ key, organizationId }: LoadedTenant, { override, plan }: Writer): Promise<void> {
    while (!this.#isEnded) {
      const subject = this.#random() < 0.5 ? override : plan
      const { answered } = subject
      const lostUntil = this.#loss.until
      const { url } = this.#target()
      const path = `/org/subscribers/${subject.key}/entitlements/check`
      const answer = await this.#ask(url + path, 'POST', { feature: 'seats' }, { 'x-api-key': key })
      if (answer?.status === 200) {
        const { limit } = JSON.parse(answer.text)
        if (lostUntil === this.#loss.until) subject.seen.add(limit)
        this.evals++
        this.lastGood.eval = performance.now()
        if (!(limit >= answered) && lostUntil === this.#loss.until) {
          this.findings.push(`stale eval: ${organizationId} ${subject.key} is ${limit} after ${answered} was answered`)
        }
      } else if (answer && answer.status !== 503 && answer.status !== null) {
        this.findings.push(`an eval was answered ${answer.status}: ${answer.text.slice(0, 300)}`)
      }
      await wait(this.#random() * pauseMs)
    }
  }

  /** The answer; null if no process listened. */
  async #ask(url: string, method: string, body: unknown, headers: Record<string, string>): Promise<Answer | null> {
    const beganAt = performance.now()
    try {
      const response = await request(url, {
        dispatcher: this.#agent,
        method: method as 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      const text = await response.body.text()
      this.worstMs = Math.max(this.worstMs, performance.now() - beganAt)
      return { status: response.statusCode, text }
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === 'ECONNREFUSED') return null
      return { status: null, text: code ?? `${error}` }
    }
  }
}

function messageOf(text: string): string {
  try {
    return JSON.parse(text).error?.message ?? ''
  } catch {
    return text.slice(0, 300)
  }
}
