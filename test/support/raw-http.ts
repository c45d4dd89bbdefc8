import { connect } from 'node:net'
import type { Answer } from './service.ts'

/** Sends bytes that fetch would not send, and resolves to the first answer. */
export async function sendRaw(url: string, request: string | Buffer): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const chunks: Buffer[] = []
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (isWhole(Buffer.concat(chunks).toString('latin1'))) socket.destroy()
    })
    // A server that refuses a body may reset the connection after its answer.
    socket.on('error', (error) => (chunks.length > 0 ? resolve() : reject(error)))
    socket.on('close', () => resolve())
  })
  return parse(Buffer.concat(chunks).toString())
}

/** A request without a body, with these header lines, then any further text. */
export function rawRequest(method: string, path: string, headers: Record<string, string>, body = ''): string {
  const lines = Object.entries({ host: 'service', connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))
  return length !== null && text.length - end - 4 >= Number(length[1])
}

function parse(text: string): Answer {
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Headers(lines.map((line) => line.split(/:\s*/, 2) as [string, string]))
  const body = text.slice(end + 4)
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: body && isPlainJson(headers) ? JSON.parse(body) : body || undefined,
  }
}

function isPlainJson(headers: Headers): boolean {
  return headers.get('content-type')?.includes('json') === true && !headers.has('content-encoding')
}
