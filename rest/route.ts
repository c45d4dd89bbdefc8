import type { Eval, Read, Write } from '../src/operation/operation.ts'
import type { QueryParameters } from './query.ts'

/** A row of the REST table: an operation, and how its input and its result look on the wire. */
export type RestRoute =
  | { operation: Read<string, unknown, unknown>; query: QueryParameters; reply: (result: unknown) => unknown }
  | { operation: Write<string, unknown, unknown>; query: QueryParameters; reply: (result: unknown) => unknown }
  | { operation: Eval<string, unknown, unknown>; query: QueryParameters; reply: (result: unknown) => string }

type Options<Body> = { query?: QueryParameters; reply: Body }

/** `reply` makes the body of a success; a write with status 204 has none. */
export function route<Route extends string, T, Result>(
  operation: Read<Route, T, Result> | Write<Route, T, Result>,
  options: Options<(result: Result) => unknown>,
): RestRoute
/** An eval replies JSON text: it is the hot path. */
export function route<Route extends string, T, Result>(
  operation: Eval<Route, T, Result>,
  options: Options<(result: Result) => string>,
): RestRoute
export function route(operation: unknown, { query = {}, reply }: Options<unknown>): RestRoute {
  return { operation, query, reply } as RestRoute
}

/** For a delete. */
export function noBody(): undefined {
  return undefined
}
