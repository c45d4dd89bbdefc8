import { connect, type Socket } from 'node:net'
import { Pool } from 'undici'
import { limitOf } from '../../support/limit-of.ts'
import type { Answer, AnswerTally, Api } from './answers.ts'

/** Only the end of longer bodies is kept: the neighbour would notice the time that this process takes to decode them. */
const maxKeptBytes = 1024 * 1024

export type Request = {
  method?: string
  path: string
  headers?: Record<string, string>
  /** Sent as JSON, except for a string or bytes. */
  body?: unknown
}

/** Sends requests as an HTTP client would, and bytes that no client would send; checks every answer. */
export class Client {
  readonly #pool: Pool
  readonly #port: number
  readonly #answers: AnswerTally
  readonly #signal: AbortSignal
  readonly #sockets = new Set<Socket>()
  #sentBytes = 0

  constructor(options: { port: number; answers: AnswerTally; signal: AbortSignal; connections?: number }) {
    this.#port = options.port
    this.#answers = options.answers
    this.#signal = options.signal
    this.#pool = new Pool(`http://127.0.0.1:${options.port}`, {
      connections: options.connections ?? 256,
      headersTimeout: limitOf(120_000),
      bodyTimeout: limitOf(120_000),
    })
  }

  /** The answer, or null without one; counts both. */
  async send(request: Request): Promise<Answer | null> {
    const { method = request.body === undefined ? 'GET' : 'POST', path, headers = {}, body } = request
    const sent =
      body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
    this.#sentBytes += lengthOf(path, headers, sent)
    try {
      const response = await this.#pool.request({
        method,
        path,
        headers: { ...(sent !== undefined && { 'content-type': 'application/json' }), ...headers },
        body: sent ?? null,
        signal: this.#signal,
      })
      const answer = {
        status: response.statusCode,
        headers: response.headers as Record<string, string>,
        body: await readText(response.body),
      }
      // An answer to HEAD has no body, whatever its headers say.
      return this.#answers.add(answer, method === 'HEAD' ? 'plain' : apiOf(path), `${method} ${path}`)
    } catch (error) {
      this.#answers.count((error as { code?: string }).code ?? (error as Error).name)
      return null
    }
  }

  graphql(query: string, variables?: unknown, headers: Record<string, string> = {}): Promise<Answer | null> {
    return this.send({ path: '/graphql', headers, body: { query, ...(variables !== undefined && { variables }) } })
  }

  /** Opens a connection for any bytes. Discards received data, or does not read it. */
  async open({ reads = true, from = '127.0.0.1' }: { reads?: boolean; from?: string } = {}): Promise<Socket> {
    const socket = connect({ port: this.#port, host: '127.0.0.1', localAddress: from })
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#sockets.delete(socket)
      this.#sentBytes += socket.bytesWritten
    })
    if (reads) socket.resume()
    await new Promise<void>((resolve) => {
      socket.once('connect', resolve)
      socket.once('close', () => resolve())
    })
    return socket
  }

  /** The first answer to these bytes, or null. */
  async raw(bytes: string | Buffer, api: Api = 'rest', timeoutMs = limitOf(10_000)): Promise<Answer | null> {
    const socket = await this.open()
    return new Promise((resolve) => {
      let received = ''
      const settle = () => {
        clearTimeout(timer)
        socket.destroy()
        const answer = parseAnswer(received)
        const asked = bytes.toString().slice(0, 300)
        if (answer) this.#answers.add(answer, api, asked)
        else this.#answers.count('no answer')
        resolve(answer)
      }
      const timer = setTimeout(settle, timeoutMs)
      socket.setEncoding('latin1')
      socket.on('data', (chunk: unknown) => {
        received += chunk
        if (parseAnswer(received)) settle()
      })
      socket.once('close', settle)
      socket.write(bytes)
    })
  }

  /** Bytes sent, without those added by libraries; complete after closing. */
  get sentBytes(): number {
    return this.#sentBytes
  }

  async close(): Promise<void> {
    const ended = Array.from(
      this.#sockets,
      (socket) => new Promise((resolve) => socket.once('close', resolve).destroy()),
    )
    await Promise.all(ended)
    await this.#pool.destroy()
  }
}

function lengthOf(path: string, headers: Record<string, string>, body: string | Uint8Array | undefined): number {
  return path.length + Object.entries(headers).flat().join('').length + (body ? Buffer.byteLength(body) : 0)
}

function apiOf(path: string): Api {
  if (/^\/(healthz|readyz)/.test(path)) return 'plain'
  return path.startsWith('/graphql') ? 'graphql' : 'rest'
}

/** The body; of a long body, only the end, after an ellipsis. */
async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    chunks = bytes > maxKeptBytes ? [chunk] : [...chunks, chunk]
  }
  return (bytes > maxKeptBytes ? '…' : '') + Buffer.concat(chunks)
}

/** The whole answer if it has a Content-Length, else the part received so far; null before the end of its headers. */
function parseAnswer(answered: string): Answer | null {
  const received = answered.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return null
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const body = received.slice(end + 4)
  if (body.length < Number(headers['content-length'] ?? 0)) return null
  return { status: Number(statusLine.split(' ')[1]), headers, body: Buffer.from(body, 'latin1').toString() }
}
