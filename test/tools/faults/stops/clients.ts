import { setTimeout as wait } from 'node:timers/promises'
import { Agent, type Dispatcher, request } from 'undici'
import type { Tenant } from '../../../support/tenants.ts'

const pauseMs = 5
const patienceMs = 30_000

/**
 * Clients that keep their connection, and clients that open one for each request. They send checks and writes to the addresses
 * in turn, until `end` is called. Addresses where no process listens are skipped.
 */
export class Clients {
  readonly failures: string[] = []
  sent = 0
  readonly #urls: readonly string[]
  readonly #tenant: Tenant
  readonly #agents: Agent[] = []
  readonly #running: Promise<unknown>
  #isEnded = false

  constructor(urls: readonly string[], tenant: Tenant, { keeping, opening }: { keeping: number; opening: number }) {
    this.#urls = urls
    this.#tenant = tenant
    const kept = new Agent({ connections: keeping, headersTimeout: patienceMs })
    this.#agents.push(kept)
    this.#running = Promise.all([
      ...Array.from({ length: keeping }, (_, n) => this.#ask(n, kept, false)),
      ...Array.from({ length: opening }, (_, n) => this.#ask(keeping + n, kept, true)),
    ])
  }

  async end(): Promise<void> {
    this.#isEnded = true
    await this.#running
    await Promise.all(this.#agents.map((agent) => agent.destroy()))
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
    for (let tries = 0; tries < this.#urls.length; tries++) {
      const url = this.#urls[(turn + tries) % this.#urls.length] as string
      const dispatcher: Dispatcher = opens ? new Agent({ headersTimeout: patienceMs }) : agent
      try {
        const { statusCode, body: answer } = await request(url + path, { dispatcher, method, headers, body })
        const text = await answer.text()
        this.sent += 1
        if (statusCode !== 200) this.failures.push(`${method} ${statusCode} ${text.slice(0, 200)}`)
        return
      } catch (error) {
        const { code, message } = error as { code?: string; message: string }
        // The process has ended, so the client tries the other one.
        if (code === 'ECONNREFUSED') continue
        this.sent += 1
        this.failures.push(`${method} ${opens ? 'on a new connection' : 'on a kept connection'}: ${code ?? message}`)
        return
      } finally {
        if (opens) await dispatcher.close()
      }
    }
    this.failures.push(`${method}: nobody listens`)
  }
}
