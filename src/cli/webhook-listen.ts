import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { print, printError, printNote } from '../core/print.ts'
import { toPrintable } from '../core/printable.ts'
import { reasonOf, StartupError } from '../core/startup-error.ts'
import { parseOptions } from './parse-options.ts'
import { findFault } from './verify-attempt.ts'

const help = `Usage: WEBHOOK_SECRET=whsec_… npm run webhook:listen -- [--port 4100] [--status 200]

Receives webhooks on this machine, verifies each attempt and prints it. Point the webhook at the address that it prints.

  WEBHOOK_SECRET     the signing secret, as PUT /org/webhook or POST /org/webhook/rotate showed it
  --secret whsec_…   the same; visible to everyone on this machine in the list of processes
  --port 4100        where to listen; 0 takes any free port
  --status 200       the answer to verified attempts; 500 lets you watch the retries`

const table = { secret: { type: 'string' }, port: { type: 'string' }, status: { type: 'string' } } as const

type Options = { secret: string; port: number; status: number }

/** Receivers must accept bodies up to this size; ours are far smaller. */
const maxBodyBytes = 1_048_576

try {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === 'help') print(help)
  else listen(options)
} catch (error) {
  printError(error)
  process.exit(1)
}

function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | 'help' {
  const values = parseOptions(args, table, help)
  if (values === 'help') return 'help'
  const secret = values.secret ?? env.WEBHOOK_SECRET
  if (!secret) throw new StartupError('WEBHOOK_SECRET is required: the signing secret, which begins with whsec_.')
  if (!/^whsec_[0-9A-Za-z]{43}$/.test(secret)) {
    const name = values.secret === undefined ? 'WEBHOOK_SECRET' : '--secret'
    throw new StartupError(`${name} must be whsec_ and 43 characters.`)
  }
  return {
    secret,
    port: readNumber('--port', values.port ?? '4100', 0, 65_535),
    status: readNumber('--status', values.status ?? '200', 200, 599),
  }
}

function readNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new StartupError(`${name} must be a whole number from ${min} to ${max}.`)
}

function listen({ secret, port, status }: Options): void {
  const server = createServer(async (request, response) => {
    try {
      const body = await readBody(request)
      const fault = findFault(request.headers, body, secret, new Date())
      print(toPrintable(describe(request, body, fault)))
      response.writeHead(fault ? 401 : status).end()
    } catch (error) {
      print(`✗ not read: ${reasonOf(error)}`)
      response.writeHead(400).end()
    }
  })
  server.on('error', (error) => {
    printNote(`Cannot listen on port ${port}: ${reasonOf(error)}`)
    process.exit(1)
  })
  server.listen(port, '127.0.0.1', () => {
    print(`Listening for webhooks at http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  })
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > maxBodyBytes) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** `✓ 01M7Y… {"id":"01M7Y…",…}`: whether it is genuine, its id, and the body. */
function describe({ headers }: IncomingMessage, body: Buffer, fault: string | null): string {
  const id = headers['x-service-webhook-id'] ?? 'without an id'
  return fault ? `✗ ${id}: ${fault}` : `✓ ${id} ${body}`
}
