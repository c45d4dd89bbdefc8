import type { operations as described } from './generated/openapi.ts'
import type { ListItems, operations as table } from './generated/operations.ts'
import type { ImportLines, ImportResult } from './import.ts'
import type { Pages } from './pages.ts'
import type { Signal } from './request.ts'

/** The name of an operation, as in the API reference. */
export type OperationId = keyof typeof table

/** Options of one call. */
export type CallOptions = {
  /** The time limit of the call, including retries, in milliseconds; 10 seconds by default. */
  timeoutMs?: number
  /** Aborts the call, which then throws the signal's reason. */
  signal?: Signal
  /**
   * A key of your own for a write, so that the write runs only once even if you call again, for example after a restart. By
   * default, each call has a random key: the write runs only once, however often the client retries it.
   */
  idempotencyKey?: string
}

/** Merges an intersection into one object type, whose fields editors show; in a union, merges each member separately. */
type Flat<T> = T extends unknown ? { [Key in keyof T]: T[Key] } : never

type KnownOrUnknown<T> = [T] extends [never] ? unknown : T

type ValuesIn<Parameters> = (Parameters extends { path: infer Path } ? Path : unknown) &
  (Parameters extends { query?: infer Query } ? KnownOrUnknown<NonNullable<Query>> : unknown)

type BodyOf<Operation> = Operation extends { requestBody?: infer Body }
  ? NonNullable<Body> extends { content: { 'application/json': infer Json } }
    ? Json
    : unknown
  : unknown

/** The input of an operation: the values in its path and its query, and the fields of its body. */
export type Params<Id extends OperationId> = Flat<ValuesIn<described[Id]['parameters']> & BodyOf<described[Id]>>

type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : undefined

/** The answer of an operation; undefined if it has none. */
export type Answer<Id extends OperationId> = described[Id]['responses'] extends infer Responses
  ? JsonOf<Responses extends { 200: infer Ok } ? Ok : Responses extends { 201: infer Created } ? Created : undefined>
  : never

type Result<Id extends OperationId> = Id extends keyof ListItems
  ? Answer<Id> extends infer Page
    ? Pages<Page, Page extends Record<ListItems[Id], readonly (infer Item)[]> ? Item : never>
    : never
  : Promise<Answer<Id>>

type Method<Id extends OperationId> =
  // `params` is optional if the operation requires no value.
  Record<never, never> extends Params<Id>
    ? (params?: Params<Id>, options?: CallOptions) => Result<Id>
    : (params: Params<Id>, options?: CallOptions) => Result<Id>

type ImportParams = {
  /** Each line is a subscriber. The lines are sent in requests of a thousand, each with its own time limit. */
  lines: ImportLines
  /** Changes nothing, and returns the result that the import would have. */
  dry_run?: boolean
}

type ImportOptions = Omit<CallOptions, 'idempotencyKey'> & {
  /** Called after each request, with the result so far. */
  onProgress?: (result: ImportResult) => void
}

type ImportMethod = (params: ImportParams, options?: ImportOptions) => Promise<ImportResult>

/** A method for each operation of the REST API. */
export type Api = {
  [Id in keyof typeof table]: Id extends 'importSubscribers' ? ImportMethod : Method<Id>
}
