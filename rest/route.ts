import type { Readable } from 'node:stream'
import type { Cookie } from '../src/http/cookies.ts'
import type { Eval, Read, SignIn, UserRead, UserWrite, Write } from '../src/operation/operation.ts'
import type { Services } from '../src/operation/services.ts'
import type { QueryParameters } from './query.ts'

/** How the input and the result of a row look on the wire. */
type Translation = {
  query: QueryParameters
  reply: (result: unknown, services: Services) => unknown
  /** Cookies that come with a success, where the request is one of the service's own pages. */
  cookies: (result: unknown) => Cookie[]
}

export type EvalRoute = {
  operation: Eval<string, unknown, unknown>
  query: QueryParameters
  reply: (result: unknown, services: Services) => string | Readable
}

/** A row of the REST table: an operation, and how its input and its result look on the wire. */
export type RestRoute =
  | (Translation & {
      operation:
        | Read<string, unknown, unknown>
        | Write<string, unknown, unknown>
        | UserRead<string, unknown, unknown>
        | UserWrite<string, unknown, unknown>
        | SignIn<string, unknown, unknown>
    })
  | EvalRoute

type Options<Body> = { query?: QueryParameters; reply: Body }

/** `reply` makes the body of a success; an operation with status 204 has none. */
export function route<Route extends string, T, Result>(
  operation:
    | Read<Route, T, Result>
    | Write<Route, T, Result>
    | UserRead<Route, T, Result>
    | UserWrite<Route, T, Result>
    | SignIn<Route, T, Result>,
  options: Options<(result: Result, services: Services) => unknown> & { cookies?: (result: Result) => Cookie[] },
): RestRoute
/** An eval replies JSON text, a large one as a stream: it is the hot path. */
export function route<Route extends string, T, Result>(
  operation: Eval<Route, T, Result>,
  options: Options<(result: Result, services: Services) => string | Readable>,
): RestRoute
export function route(
  operation: unknown,
  { query = {}, reply, cookies = () => [] }: Options<unknown> & { cookies?: unknown },
): RestRoute {
  return { operation, query, reply, cookies } as RestRoute
}

/** For a delete. */
export function noBody(): undefined {
  return undefined
}
