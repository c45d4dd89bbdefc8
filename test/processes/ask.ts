import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { limitOf } from '../support/limit-of.ts'

export type ClientRequest = { method: string; path: string; body?: unknown; headers: Record<string, string> }

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape.
export type Reply = { status: number; body: any; cookies: string[] }

/** The time limit of a request, which is longer than any answer may take. */
const requestTimeoutMs = limitOf(30_000)
/** How often a request is sent if it gets a 503 without having changed anything, because the database is busy. */
const busyTries = 20
const busyWaitMs = 250

/** Sends requests over connections that stay open; throws if there is no answer. */
export class Client {
  /** The number of repeated requests: an eval among them may have been counted each time. */
  repeated = 0
  readonly #agent = new Agent({ headersTimeout: requestTimeoutMs, bodyTimeout: requestTimeoutMs })

  /** Repeats the request as long as the service answers that it is busy. */
  async ask(url: string, request: ClientRequest): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      const reply = await this.askOnce(url, request)
      const isBusy = reply.status === 503 && !reply.body.error?.message.includes('do not know')
      if (!isBusy || tries === busyTries) return reply
      this.repeated++
      await wait(busyWaitMs)
    }
  }

  async askOnce(url: string, { method, path, body, headers }: ClientRequest): Promise<Reply> {
    const response = await request(url + path, {
      dispatcher: this.#agent,
      method: method as 'POST',
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.body.text()
    const cookies = [response.headers['set-cookie'] ?? []].flat()
    return { status: response.statusCode, body: text === '' ? undefined : JSON.parse(text), cookies }
  }

  /** Returns the answer if it is a success; otherwise throws. */
  async askSuccessfully(url: string, request: ClientRequest): Promise<Reply> {
    const reply = await this.ask(url, request)
    if (reply.status < 300) return reply
    throw new Error(`${request.method} ${request.path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }
}
