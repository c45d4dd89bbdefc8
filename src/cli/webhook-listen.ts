import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { print } from '../core/print.ts'
import { toPrintable } from '../core/printable.ts'
import { reasonOf, StartupError } from '../core/startup-error.ts'
import { command, integerBetween, run } from './command.ts'
import { findFault } from './verify-attempt.ts'

/** Receivers must accept bodies up to this size; the service's bodies are far smaller. */
const maxBodyBytes = 1_048_576

await run(
  command('webhook:listen')
    .description(
      'Receives webhooks on this machine, verifies each attempt and prints it. Point the webhook at the address that it prints.',
    )
    .option(
      '--secret <whsec_…>',
      'replaces WEBHOOK_SECRET; visible to everyone on this machine in the list of processes',
    )
    .option('--port <port>', 'the port to listen on; 0 takes any free port', integerBetween(0, 65_535), 4100)
    .option(
      '--status <status>',
      'the answer to verified attempts; 500 lets you watch the retries',
      integerBetween(200, 599),
      200,
    )
    .addHelpText(
      'after',
      '\nEnvironment:\n  WEBHOOK_SECRET  the signing secret, as PUT /org/webhook or POST /org/webhook/rotate showed it',
    )
    .action(({ secret, port, status }) => listen({ secret: readSecret(secret), port, status })),
  { onlyPrints: true },
)

function readSecret(givenSecret: string | undefined): string {
  const secret = givenSecret ?? process.env.WEBHOOK_SECRET
  if (!secret) throw new StartupError('WEBHOOK_SECRET is required: the signing secret, which begins with whsec_.')
  if (/^whsec_[0-9A-Za-z]{43}$/.test(secret)) return secret
  throw new StartupError(
    `${givenSecret === undefined ? 'WEBHOOK_SECRET' : '--secret'} must be whsec_ and 43 characters.`,
  )
}

type Options = { secret: string; port: number; status: number }

/** Resolves when the server has closed. */
async function listen({ secret, port, status }: Options): Promise<void> {
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
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error) => {
    throw new StartupError(`Cannot listen on port ${port}: ${reasonOf(error)}`)
  })
  print(`Listening for webhooks at http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await once(server, 'close')
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

/** `✓ 01M7Y… {"id":"01M7Y…",…}`: whether the attempt is genuine, its id, and the body. */
function describe({ headers }: IncomingMessage, body: Buffer, fault: string | null): string {
  const id = headers['x-service-webhook-id'] ?? 'without an id'
  return fault ? `✗ ${id}: ${fault}` : `✓ ${id} ${body}`
}
