import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../src/core/network.ts'
import { toDomainError } from '../src/database/outage.ts'
import { linesType, streamLines } from '../src/http/body.ts'
import { beginStreaming, endStreaming } from '../src/http/connection.ts'
import { encodeAnswer } from '../src/http/encode-answer.ts'
import { prefers } from '../src/http/negotiation.ts'
import { jsonType, toErrorBody } from '../src/http/reply.ts'
import { type BulkLine, BulkLines } from '../src/operation/operation.ts'
import { readBulkLines } from '../src/operation/read-bulk-lines.ts'
import { type Admitted, admit } from '../src/operation/run-operation.ts'
import type { Services } from '../src/operation/services.ts'
import { parseQuery, queryFieldsOf } from './query.ts'
import { refuseBody } from './refuse.ts'
import { RestRequest } from './rest-request.ts'
import type { BulkRoute } from './route.ts'

/** How long a client that has not finished sending its body may take to read the answer. */
const lingerMs = 1_000

/** Registers a write whose body has any number of lines. Applies lines while it reads; streams the progress on request. */
export function registerBulk(app: FastifyInstance, services: Services, url: string, route: BulkRoute): void {
  const { operation } = route
  app.register(async (scope) => {
    streamLines(scope)
    scope.route({
      method: operation.method,
      url,
      config: { readsLines: true },
      async onRequest(request) {
        request.admitted = await admit(services, operation, new RestRequest(services, request, operation))
      },
      async handler(request, reply) {
        const { raw, body } = request
        const { run, ownerId = networkOf(request.ip) } = request.admitted as Admitted<unknown>
        beginStreaming(raw)
        // From now on, the operation records the outcome of the request, even if the body ends early.
        request.admitted = null
        const progress = new Progress()
        const lists = body === undefined ? noLines() : linesOf(raw)
        const readInput = () => ({
          ...parseQuery(request.url, queryFieldsOf(operation)),
          lines: undefined,
          text: new BulkLines(lists, (counts) => progress.report(counts)),
        })
        const running = run(readInput)
          .then((result) => route.reply(result, services))
          .finally(() => endBody(request, reply))
        return prefers(request, linesType)
          ? answerInLines(services, reply, { running, progress, ownerId })
          : answer(reply, { running, ownerId })
      },
      errorHandler: (error, request, reply) => refuseBody(services, 0, { error, request, reply }),
    })
  })
}

/** If the client is still sending, drops what it sends, and closes the connection `lingerMs` after the answer. */
function endBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  endStreaming(raw, performance.now())
  if (raw.complete) return
  reply.raw.once('finish', () => setTimeout(() => raw.socket.destroy(), lingerMs).unref())
}

/** `ownerId` is the owner whose share of the event loop the answer uses. */
type RunningBulk = { running: Promise<unknown>; ownerId: string }

async function answer(reply: FastifyReply, { running, ownerId }: RunningBulk): Promise<FastifyReply> {
  return reply.type(jsonType).send(await encodeAnswer(await running, ownerId))
}

/** Once a line of progress is sent, the status is 200, so a later failure is reported in the last line. */
async function answerInLines(
  services: Services,
  reply: FastifyReply,
  { running, progress, ownerId }: RunningBulk & { progress: Progress },
): Promise<FastifyReply> {
  const ended = running.then(
    (result) => encodeAnswer({ result }, ownerId),
    (error) => {
      if (!progress.isStarted) throw error
      const failure = toDomainError(error)
      services.failures.log(failure, reply.request.id)
      return JSON.stringify(toErrorBody(failure, reply.request.id))
    },
  )
  await Promise.race([progress.started, ended])
  ended.then((last) => progress.end(last)).catch(() => {})
  return reply.type(linesType).send(progress.stream)
}

/** Writes the lines of the answer. Leaves out lines of progress while the client reads too slowly. */
class Progress {
  readonly stream = new PassThrough()
  readonly #started = Promise.withResolvers<void>()
  isStarted = false

  get started(): Promise<void> {
    return this.#started.promise
  }

  report(counts: object): void {
    this.isStarted = true
    this.#started.resolve()
    if (!this.stream.writableNeedDrain) this.stream.write(`${JSON.stringify({ progress: counts })}\n`)
  }

  end(last: string | Buffer): void {
    this.stream.write(last)
    this.stream.end('\n')
  }
}

async function* noLines(): AsyncGenerator<BulkLine[]> {}

function linesOf(body: IncomingMessage): AsyncGenerator<BulkLine[]> {
  // If the import ends before the body does, the connection must stay open for the answer.
  return readBulkLines(body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
}
