import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Cookie } from '../src/http/cookies.ts'
import type { CallerPage, Follow } from '../src/operation/follow.ts'
import type { AnyOperation, BulkWrite, Eval, ResultOf } from '../src/operation/operation.ts'
import type { Services } from '../src/operation/services.ts'

/** How the result of an operation is sent. */
type Translation = {
  reply: (result: unknown, services: Services) => unknown
  /** Cookies sent with a success, if the request is from one of the service's own pages. */
  cookies: (result: unknown) => Cookie[]
}

export type EvalRoute = {
  operation: Eval<string, unknown, unknown>
  reply: ReplyToEval<unknown>
  isForKeys: IsForKeys
}

type ReplyToEval<Result> = (result: Result, services: Services, request: ReplyContext) => Promise<EvalReply>

/** The parts of the request on which a reply may depend. */
export type ReplyContext = Pick<FastifyRequest, 'headers' | 'host' | 'protocol'>

/** Whether the request asks for an answer that only API keys may get. */
type IsForKeys = (request: FastifyRequest) => boolean

/** The body is JSON text unless the headers say otherwise. A 304 has no body, because the caller already has it. */
export type EvalReply = { headers?: Record<string, string> } & (
  | { status: 200; body: string | Buffer | Readable }
  | { status: 304 }
)

/** A row of the REST table: an operation, and how its result is sent. */
export type RestRoute =
  | (Translation & { operation: Exclude<AnyOperation, { kind: 'eval' | 'bulk_write' | 'follow' }> })
  | BulkRoute
  | FollowRoute
  | EvalRoute

/** With `writeEvents`, the route only streams, in this format. */
export type FollowRoute = Translation & { operation: Follow<string, unknown>; writeEvents?: WriteEvents }

/**
 * Writes a page as server-sent events. If the stream ends before the last change of the page is sent, the client continues from
 * `before`, and gets a part of the page again.
 */
export type WriteEvents = (page: CallerPage, position: { before: string; cursor: string; isFirst: boolean }) => string

export type BulkRoute = Translation & { operation: BulkWrite<string, unknown, unknown> }

type SpecialRoute<Operation extends AnyOperation> = {
  /** Replaces the body that the operation's answer describes; status 204 has no body. */
  reply?: Operation extends { kind: 'eval' }
    ? ReplyToEval<ResultOf<Operation>>
    : (result: ResultOf<Operation>, services: Services) => unknown
  cookies?: (result: ResultOf<Operation>) => Cookie[]
  isForKeys?: Operation extends { kind: 'eval' } ? IsForKeys : never
}

export function route<Operation extends AnyOperation>(
  operation: Operation,
  { reply, cookies = noCookies, isForKeys }: SpecialRoute<Operation> = {},
): RestRoute {
  return { operation, reply: reply ?? toReply(operation), cookies, isForKeys: isForKeys ?? (() => false) } as RestRoute
}

/** The Fastify settings of the operation's route. */
export function configOf({ cors }: AnyOperation): { cors: boolean } {
  return { cors: cors === true }
}

export function noCookies(): Cookie[] {
  return []
}

function toReply({ answer }: AnyOperation): (result: unknown) => unknown {
  return answer && 'toBody' in answer ? (answer.toBody as (result: unknown) => unknown) : () => undefined
}
