import type { Label } from '../access/roles.ts'
import type { Answer } from '../core/answer.ts'
import type { ErrorCode, OwnCode } from '../core/errors.ts'
import type { Input } from '../core/input.ts'

/** The names in the braces of a route template: `/org/plans/{key}` has `key`. */
export type PathOf<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & PathOf<Rest>
  : unknown

export type KindName =
  | 'read'
  | 'write'
  | 'bulk_write'
  | 'eval'
  | 'bulk_eval'
  | 'follow'
  | 'issue'
  | 'user_read'
  | 'user_write'
  | 'sign_in'
  | 'open_read'

/** The description of an operation. Both APIs, the audit log and the laws in the tests read it. */
export type Definition<Route extends string, T> = {
  /** Also the name of the field in the GraphQL schema. */
  name: string
  /** A summary in one line, with which the descriptions in both APIs begin. */
  summary: string
  /** More information for callers, in whole sentences; shown in the reference. */
  about?: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Template of the REST route; recorded in the audit entry, whichever API was used. */
  route: Route
  service: 'api' | 'identity'
  input: Input<T>
  /** The body of a success in the REST API; null if there is none. */
  answer: Pick<Answer<unknown>, 'schema'> | null
  /** Whether pages of any site may read the answers and refusals (CORS). Pages of other sites cannot use cookies. */
  cors?: true
  /** The codes of its refusals, except those that every operation of its kind may have. */
  refusals?: readonly (ErrorCode | OwnCode)[]
}

/** An operation whose `answer` describes its result. */
export type Answers<Result> = { answer: Answer<Result> | null }

/** Whether a write is refused once the organization has reached its storage cap. Contract: Stored bytes. */
export type StorageDefinition = {
  /** False if the write frees, ends or replaces something. By default, every method except `DELETE` adds. */
  adds?: false
}

export function addsStoredData({
  method,
  adds,
}: StorageDefinition & Pick<Definition<string, unknown>, 'method'>): boolean {
  return adds ?? method !== 'DELETE'
}

/** An operation in an organization: called with a key or in the console, by members whose role carries a label. */
export type MemberDefinition<Route extends string, T> = Definition<Route, T> & {
  /** One of these labels is enough. */
  labels: readonly [Label, ...Label[]]
  /**
   * Where a subscriber's token is accepted, which gives access for that subscriber only. `bearer`: in `Authorization`, while
   * keys are sent in `X-API-Key`. `either_header`: both headers accept a key or a token. `address`: only a token in the URL is
   * accepted, and it gives access to nothing else. Absent: only keys and sessions are accepted.
   */
  tokens?: 'bearer' | 'either_header' | 'address'
}
