import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isCursor } from '../src/changes/cursors.ts'
import { validationError } from '../src/core/errors.ts'
import { networkOf } from '../src/core/network.ts'
import { loopSlices } from '../src/fairness/loop-slices.ts'
import { encodeAnswer } from '../src/http/encode-answer.ts'
import { prefers } from '../src/http/negotiation.ts'
import { jsonType, sendOnlyHeaders } from '../src/http/reply.ts'
import { closedSignal } from '../src/http/when-closed.ts'
import { type CallerPage, WaitingRequest } from '../src/operation/follow.ts'
import { type Admitted, admit } from '../src/operation/run-operation.ts'
import type { Services } from '../src/operation/services.ts'
import { parseQuery } from './query.ts'
import { refuseBody } from './refuse.ts'
import { RestRequest } from './rest-request.ts'
import { configOf, type FollowRoute, type WriteEvents } from './route.ts'

const streamType = 'text/event-stream'
const streamTypeWithCharset = `${streamType}; charset=utf-8`

/** Registers a read that may wait for changes, or stream them as server-sent events. */
export function registerFollow(app: FastifyInstance, services: Services, url: string, route: FollowRoute): void {
  const { operation } = route
  app.route({
    method: operation.method,
    url,
    config: configOf(operation),
    async onRequest(request) {
      // Begins each stream in its own slice. A beginning takes half a millisecond, and all followers of a stopped process may
      // reconnect at once.
      if (route.writeEvents || prefers(request, streamType)) await loopSlices.next(networkOf(request.ip))
      request.admitted = await admit(services, operation, new RestRequest(services, request, operation))
    },
    handler(request, reply) {
      const { run, ownerId } = request.admitted as Admitted<CallerPage>
      const following = { run, ownerId, toBody: (page: CallerPage) => route.reply(page, services) }
      return sendChanges(request, reply, { ...route, ...following })
    },
    errorHandler: (error, request, reply) => refuseBody(services, 0, { error, request, reply }),
  })
}

type FollowOptions = Pick<FollowRoute, 'writeEvents'> & {
  operation: { input: Pick<FollowRoute['operation']['input'], 'fields'> }
  /**
   * Runs the operation with the `WaitingRequest` that `readInput` returns. Returns one page, or passes each page to the
   * `onPage` of that request.
   */
  run(readInput: () => unknown): Promise<CallerPage>
  toBody(page: CallerPage): unknown
  /** A long page uses this owner's share of the event loop; by default, that of the client's address. */
  ownerId?: string | undefined
}

/** Sends one page as JSON, or a stream of server-sent events on request. */
export async function sendChanges(
  request: FastifyRequest,
  reply: FastifyReply,
  { operation, run, toBody, ownerId = networkOf(request.ip), ...route }: FollowOptions,
): Promise<FastifyReply> {
  const signal = closedSignal(reply)
  const query = parseQuery(request.url, operation.input.fields)
  const { writeEvents = prefers(request, streamType) ? writeChanges : null } = route
  if (request.method === 'GET' && writeEvents) return stream(run, { query, request, reply, signal, writeEvents })
  if (route.writeEvents) return sendOnlyHeaders(reply.type(streamType))
  // HEAD is admitted and checked like the stream, but does not wait.
  const input = writeEvents ? { ...query, after: findStartCursor(request, query), wait: undefined } : query
  const page = await run(() => new WaitingRequest(input, signal))
  if (writeEvents) return sendOnlyHeaders(reply.type(streamTypeWithCharset))
  return reply.type(jsonType).send(await encodeAnswer(await toBody(page), ownerId))
}

type RunningStream = {
  query: Record<string, unknown>
  request: FastifyRequest
  reply: FastifyReply
  signal: AbortSignal
  writeEvents: WriteEvents
}

async function stream(
  run: FollowOptions['run'],
  { query, request, reply, signal, writeEvents }: RunningStream,
): Promise<FastifyReply> {
  const after = findStartCursor(request, query)
  const events = new EventStream({ after: typeof after === 'string' ? after : null, writeEvents })
  const running = run(() => new WaitingRequest({ ...query, after }, signal, (page, ended) => events.take(page, ended)))
  // A failure before the first event is an ordinary error response; a later failure only ends the stream.
  running.then(events.end, events.end)
  await Promise.race([events.started, running])
  // Proxies must forward each event at once.
  return reply.type(streamTypeWithCharset).header('x-accel-buffering', 'no').send(events.output)
}

/** The cursor after which the stream begins. */
function findStartCursor(request: FastifyRequest, query: Record<string, unknown>): unknown {
  return lastEventId(request) ?? query.after
}

/** The cursor that a client sends when it reconnects: newer than the cursor in the URL, which the client does not change. */
function lastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return undefined
  if (typeof id === 'string' && isCursor(id)) return id
  throw validationError([
    { path: 'Last-Event-ID', message: 'Last-Event-ID must be the id of an event of this stream.' },
  ])
}

/** Writes pages as server-sent events. The id of an event is the cursor from which to continue if the stream ends after it. */
class EventStream {
  readonly output = new PassThrough()
  readonly #write: WriteEvents
  readonly #started = Promise.withResolvers<void>()
  #cursor: string | null
  #hasBegun = false

  constructor({ after, writeEvents }: { after: string | null } & Pick<RunningStream, 'writeEvents'>) {
    this.#cursor = after
    this.#write = writeEvents
  }

  get started(): Promise<void> {
    return this.#started.promise
  }

  /** Writes a page. Waits for a slow client, but only until the stream has ended. */
  async take(page: CallerPage, ended: AbortSignal): Promise<void> {
    const { cursor } = page
    const before = page.changes.length === 0 || page.isReset ? cursor : (this.#cursor ?? cursor)
    const text = this.#write(page, { before, cursor, isFirst: !this.#hasBegun })
    this.#cursor = cursor
    this.#hasBegun = true
    this.#started.resolve()
    if (!this.output.write(text)) await once(this.output, 'drain', { signal: ended }).catch(() => {})
  }

  readonly end = (): void => {
    this.output.end()
  }
}

const writeChanges: WriteEvents = ({ changes, isReset }, { before, cursor, isFirst }) => {
  const state = isReset ? 'reset' : isFirst ? 'ready' : 'alive'
  const text =
    isReset || isFirst || changes.length === 0 ? toEvent(before, state, JSON.stringify({ cursor: before })) : ''
  const events = changes.map(({ type, body }, index) =>
    toEvent(index < changes.length - 1 ? before : cursor, type, body),
  )
  return text + events.join('')
}

function toEvent(id: string, type: string, data: string): string {
  return `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`
}
