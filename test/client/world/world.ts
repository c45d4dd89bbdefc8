import { createHmac } from 'node:crypto'
import { Entitlements } from '../../../src/client/entitlements.ts'
import type { EntitlementsOptions } from '../../../src/client/options.ts'
import type { Environment } from '../../../src/client/platform.ts'
import { feature, subscribers, WorldService } from './service.ts'
import { randomOf, settle, VirtualTime } from './virtual-time.ts'

/**
 * The maximum age of an answer: the client notices after 10 seconds that the service is silent, and before that, the connection
 * may have been stalled for another 10 seconds.
 */
export const maxAnswerAgeMs = 10_000 + 10_000 + 1_300
const secret = 'whsec_interleavings'
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** The client under test, or another program that answers from the same memory. */
export type Subject = Pick<Entitlements, 'handleWebhook' | 'close'> & {
  checkDetail(id: string, feature: string): Promise<{ value: unknown; from: string }>
  api: Pick<Entitlements['api'], 'putOverride'>
}

/** The time of the oldest version that a client may answer at `at`, if it has received everything until `heardUntil`. */
type MinimumVersion = (at: number, heardUntil: number) => number

const minimumForClients: MinimumVersion = (at, heardUntil) => Math.max(heardUntil, at - maxAnswerAgeMs)

type StartSubject = (options: EntitlementsOptions, environment: Environment) => Subject

/** A client, the service and the connections between them, with everything that can happen to them in random order. */
export class World {
  readonly time = new VirtualTime()
  readonly random: () => number
  readonly service: WorldService
  readonly pending: Promise<unknown>[] = []
  readonly findings: string[] = []
  readonly #options: EntitlementsOptions
  readonly #begin: StartSubject
  readonly #promised: MinimumVersion
  /**
   * The oldest version that a check may answer, by subscriber: the version written through the client, or received by a
   * webhook.
   */
  readonly #acknowledged = new Map<string, number>()
  #client: Subject

  constructor(
    seed: number,
    options: EntitlementsOptions,
    begin: StartSubject = (...args) => new Entitlements(...args),
    promised = minimumForClients,
  ) {
    this.random = randomOf(seed)
    this.service = new WorldService(this.time, this.random)
    this.#options = options
    this.#begin = begin
    this.#promised = promised
    this.#client = this.#start()
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.random() * items.length)] as Item
  }

  async step(): Promise<void> {
    const { service } = this
    const id = this.pick(subscribers)
    const action = this.random()
    if (action < 0.4) for (const each of subscribers) this.#check(each)
    else if (action < 0.5) service.changeOne(id)
    else if (action < 0.54) service.changePlan(this.pick(['free', 'pro']))
    else if (action < 0.57) service.switchPlan(id)
    else if (action < 0.6) service.changeCatalog()
    else if (action < 0.65) service.putEnding(id, this.random() * 8_000)
    else if (action < 0.68) service.moveEnd(id)
    else if (action < 0.73) this.#write(id)
    else if (action < 0.8) this.#sendWebhook()
    else if (action < 0.83) service.cutStreams()
    else if (action < 0.86) service.holdStreams(this.random() * 45_000)
    else if (action < 0.89) service.restart(this.random() * 15_000, this.random() < 0.3)
    else if (action < 0.9) this.#restart()
    else if (action < 0.92) this.#sleep(id)
    await settle()
    await this.time.pass(this.random() ** 6 * 20_000)
  }

  /** Lets every running request and stream finish. */
  async end(): Promise<void> {
    await this.time.pass(30_000)
    await Promise.all(this.pending)
    await this.#client.close()
  }

  /** Lets the client's machine sleep while the service changes a subscriber. */
  #sleep(id: string): void {
    this.time.sleep(this.random() * 30_000)
    this.service.changeOne(id)
    this.time.sleep(this.random() * 60_000)
  }

  #start(): Subject {
    const { time, random, service } = this
    const environment = { fetch: service.fetch, later: time.later, now: () => time.now, random }
    return this.#begin(
      { baseUrl: 'http://service', apiKey: 'ent_key', webhookSecret: secret, logger: silent, ...this.#options },
      environment,
    )
  }

  #restart(): void {
    this.#client.close()
    this.#client = this.#start()
  }

  #check(id: string): void {
    const oldest = this.#oldest(id)
    const startedAt = this.time.now
    const checked = this.#client.checkDetail(id, feature).then(({ value, from }) => {
      if (from !== 'cache' && from !== 'network') return
      const version = Number(value)
      if (version < oldest) this.findings.push(`${from} answered ${version} of ${id} at ${startedAt}, not ${oldest}`)
    })
    this.pending.push(checked)
  }

  #oldest(id: string): number {
    const { history, heardUntil } = this.service
    const at = this.time.now
    const promised = this.#options.freshness === 'feed' ? this.#promised(at, heardUntil) : at - 300_200
    return Math.max(history.oldestVersionAt(id, { at, heardUntil: promised }), this.#acknowledged.get(id) ?? 0)
  }

  #write(id: string): void {
    const body = { kind: 'config', value: 1 } as const
    const client = this.#client
    const written = client.api.putOverride({ subscriber_id: id, feature_key: feature, ...body }).then(
      () => this.#acknowledge(client, id, this.service.history.currentVersion(id)),
      () => {},
    )
    this.pending.push(written)
  }

  /** Delivers a change of the log as a webhook: early or late, perhaps for the second time. */
  #sendWebhook(): void {
    const { log, history } = this.service
    if (log.length === 0) return
    const change = this.pick(log)
    const id = change.subscriber_id
    const heardVersion = id === undefined ? null : history.currentVersion(id)
    const body = JSON.stringify(change)
    const timestamp = String(Math.floor((this.time.now + 3_600_000) / 1_000))
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    const headers = { 'X-Service-Webhook-Timestamp': timestamp, 'X-Service-Webhook-Signature': signature }
    const client = this.#client
    const handled = client.handleWebhook(body, headers).then(({ status }) => {
      if (status === 204 && id !== undefined && heardVersion !== null) this.#acknowledge(client, id, heardVersion)
    })
    this.pending.push(handled)
  }

  /** Ignores a client that was replaced, because the client that replaced it does not know its data. */
  #acknowledge(client: Subject, id: string, version: number): void {
    if (client === this.#client) this.#acknowledged.set(id, Math.max(this.#acknowledged.get(id) ?? 0, version))
  }
}
