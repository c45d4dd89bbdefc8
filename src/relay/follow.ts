import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendChanges } from '../../rest/follow.ts'
import { followFlags, followFlagsRoute } from '../../rest/ofrep/follow-flags.ts'
import { replyWithError } from '../../rest/refuse.ts'
import { silenceMs } from '../client/feed.ts'
import type { Knowledge } from '../client/knowledge.ts'
import { unavailable } from '../core/errors.ts'
import type { Semaphore } from '../fairness/semaphore.ts'
import type { FailureLog } from '../http/failure-log.ts'
import { changesAnswer, readChanges } from '../modules/changes/read-changes.ts'
import type { CallerPage, WaitingRequest } from '../operation/follow.ts'
import { withSlot } from '../operation/slots.ts'
import type { Callers } from './callers.ts'
import type { RelayChanges } from './changes.ts'

type FollowOptions = {
  changes: RelayChanges
  knowledge: Pick<Knowledge, 'silentMs'>
  slots: Semaphore
  /** Aborts when the process stops. */
  ending: AbortSignal
}

type Options = FollowOptions & { callers: Callers; failures: FailureLog }

/** Registers the relay's own feed of changes. A change enters the feed once the relay's answers show it. */
export function registerChanges(app: FastifyInstance, options: Options): void {
  const run = (readInput: () => unknown) => follow(options, readInput() as WaitingRequest)
  const errorHandler = (error: unknown, _request: FastifyRequest, reply: FastifyReply) =>
    replyWithError(options, reply, error)
  app.route({
    method: 'GET',
    url: readChanges.route,
    onRequest: options.callers.admit,
    handler(request, reply) {
      // The answer is as old as the upstream's last message, because later changes have not arrived yet.
      reply.header('age', Math.ceil(Math.min(options.knowledge.silentMs, silenceMs) / 1_000))
      return sendChanges(request, reply, { operation: readChanges, run, toBody: changesAnswer.toBody })
    },
    errorHandler,
  })
  app.route({
    method: 'GET',
    url: followFlags.route,
    onRequest: async (request) => {
      const { token } = request.query as { token?: unknown }
      options.callers.assertToken(request, typeof token === 'string' ? token : undefined)
    },
    handler: (request, reply) =>
      sendChanges(request, reply, { ...followFlagsRoute, operation: readChanges, run, toBody: () => undefined }),
    errorHandler,
  })
}

/** Returns one page, or passes pages to `waiting.onPage` until the signal aborts. */
export async function follow(
  { changes, knowledge, slots, ending }: FollowOptions,
  waiting: WaitingRequest,
): Promise<CallerPage> {
  const { after, limit, waitMs } = readChanges.toInput(readChanges.input.parse(waiting.raw))
  const assertNotSilent = () => {
    if (knowledge.silentMs > silenceMs)
      throw unavailable('Changes cannot be read at the moment. Try again in a moment.')
  }
  assertNotSilent()
  const { onPage } = waiting
  const waits = onPage === null ? [AbortSignal.timeout(waitMs)] : []
  const signal = AbortSignal.any([waiting.signal, ending, ...waits])
  if (onPage === null && waitMs === 0) return changes.read(after, limit) as unknown as CallerPage
  return withSlot(slots, 'relay', refusals, async () => {
    let counts = changes.messageCounts
    let page = changes.read(after, limit)
    let isAlive = false
    const send = async (next: typeof page) => {
      if (!signal.aborted) await onPage?.(next as unknown as CallerPage, signal)
    }
    await send(page)
    while (!signal.aborted && (onPage !== null || isQuiet(page))) {
      if (!page.hasMore) await changes.next(counts, signal)
      isAlive ||= changes.messageCounts.alive > counts.alive
      counts = changes.messageCounts
      page = changes.read(page.cursor, limit)
      if (!isQuiet(page)) await send(page)
      if (!isAlive || page.hasMore) continue
      // A page without changes tells the follower that it has all changes so far.
      await send({ ...page, changes: [], isReset: false })
      isAlive = false
    }
    if (onPage === null && isQuiet(page)) assertNotSilent()
    return page as unknown as CallerPage
  })
}

function isQuiet({ changes, isReset }: ReturnType<RelayChanges['read']>): boolean {
  return changes.length === 0 && !isReset
}

const refusals = {
  ofOne: (held: number) =>
    `This relay already has ${held} followers. End some, or ask its operator to raise MAX_FOLLOWERS.`,
  ofAll: 'Too many clients follow changes here. Try again in a moment.',
}
