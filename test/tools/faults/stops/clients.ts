import { setTimeout as wait } from 'node:timers/promises'
import { Agent, type Dispatcher, request } from 'undici'
import { limitOf } from '../../../support/limit-of.ts'
import type { Tenant } from '../../../support/tenants.ts'

const pauseMs = 5
const patienceMs = limitOf(30_000)
const checkIntervalMs = 100

/**
 * Clients that keep their connection, and clients that open one for each request. They send checks and writes until `end` is
 * called. Of several addresses, they use in turn those whose `/readyz` answered 200, as a load balancer does.
 */
export class Clients {
  readonly failures: string[] = []
  /** How many connections were reset before an answer. */
  resets = 0
  sent = 0
  readonly #urls: readonly string[]
  #readyUrls: readonly string[]
  readonly #tenant: Tenant
  readonly #agents: Agent[] = []
  readonly #running: Promise<unknown>
  #isEnded = false

  constructor(urls: readonly string[], tenant: Tenant, { keeping, opening }: { keeping: number; opening: number }) {
    this.#urls = urls
    this.#readyUrls = urls
    this.#tenant = tenant
    const kept = new Agent({ connections: keeping, headersTimeout: patienceMs })
    this.#agents.push(kept)
    this.#running = Promise.all([
      urls.length > 1 && this.#findReady(kept),
      ...Array.from({ length: keeping }, (_, n) => this.#ask(n, kept, false)),
      ...Array.from({ length: opening }, (_, n) => this.#ask(keeping + n, kept, true)),
    ])
  }

  async end(): Promise<void> {
    this.#isEnded = true
    await this.#running
    await Promise.all(this.#agents.map((agent) => agent.destroy()))
  }

  async #findReady(dispatcher: Agent): Promise<void> {
    while (!this.#isEnded) {
      const areReady = await Promise.all(this.#urls.map((url) => isReady(url, dispatcher)))
      this.#readyUrls = this.#urls.filter((_, index) => areReady[index])
      await wait(checkIntervalMs)
    }
  }

  async #ask(client: number, agent: Agent, opens: boolean): Promise<void> {
    for (let turn = client; !this.#isEnded; turn++) {
      const isWrite = turn % 4 === 0
      const path = isWrite ? '/org/subscribers/ann/overrides/seats' : '/org/subscribers/ann/entitlements/check'
      const body = isWrite ? { kind: 'limit', limit: turn } : { feature: 'seats' }
      await this.#send(turn, agent, opens, { method: isWrite ? 'PUT' : 'POST', path, body: JSON.stringify(body) })
      await wait(pauseMs)
    }
  }

  async #send(
    turn: number,
    agent: Agent,
    opens: boolean,
    { method, path, body }: { method: 'PUT' | 'POST'; path: string; body: string },
  ): Promise<void> {
    const headers = { ...this.#tenant.headers, 'content-type': 'application/json' }
    const url = this.#readyUrls[turn % this.#readyUrls.length]
    if (url === undefined) return void this.failures.push(`${method}: no process is ready`)
    const dispatcher: Dispatcher = opens ? new Agent({ headersTimeout: patienceMs }) : agent
    try {
      const { statusCode, body: answer } = await request(url + path, { dispatcher, method, headers, body })
      const text = await answer.text()
      if (statusCode !== 200) this.failures.push(`${method} ${statusCode} ${text.slice(0, 200)}`)
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      if (code === 'ECONNRESET') this.resets += 1
      else this.failures.push(`${method} on a ${opens ? 'new' : 'kept'} connection: ${code ?? message}`)
    } finally {
      this.sent += 1
      if (opens) await dispatcher.close()
    }
  }
}

export const isReady = (url: string, dispatcher?: Agent): Promise<boolean> =>
  request(`${url}/readyz`, { ...(dispatcher && { dispatcher }) }).then(
    async ({ statusCode, body }) => {
      await body.dump()
      return statusCode === 200
    },
    () => false,
  )
