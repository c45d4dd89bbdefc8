import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'

export type Asked = { method: string; path: string; body?: unknown; headers: Record<string, string> }

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape.
export type Reply = { status: number; body: any; cookies: string[] }

/** Longer than any answer may take. */
const patienceMs = 30_000
/** A busy machine does not give the database its time: 503, and nothing was changed. */
const busyTries = 20
const busyWaitMs = 250

/** Requests over connections that are kept; it throws when there is no answer. */
export class Client {
  /** Requests that were asked again: evals among them may have been counted. */
  repeated = 0
  readonly #agent = new Agent({ headersTimeout: patienceMs, bodyTimeout: patienceMs })

  /** Again, as long as the service is only busy. */
  async ask(url: string, asked: Asked): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      const reply = await this.askOnce(url, asked)
      const isBusy = reply.status === 503 && !reply.body.error?.message.includes('do not know')
      if (!isBusy || tries === busyTries) return reply
      this.repeated++
      await wait(busyWaitMs)
    }
  }

  async askOnce(url: string, { method, path, body, headers }: Asked): Promise<Reply> {
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

  /** The body of a success; throws otherwise. */
  async must(url: string, asked: Asked): Promise<Reply> {
    const reply = await this.ask(url, asked)
    if (reply.status < 300) return reply
    throw new Error(`${asked.method} ${asked.path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }
}
