import { forgetEarly, sendRequest, takeEarly, toBody } from './early-requests.ts'
import { type ErrorExtensions, NetworkError, ServerError } from './errors.ts'
import { noteServerTime } from './server-clock.ts'
import type { Answer, TypedDocument } from './typed-document.ts'

export type Options = {
  /** The organization whose session the request uses; null for personal requests. */
  organizationId: string | null
  signal?: AbortSignal | undefined
}

type Response<Result> = {
  data?: Result
  errors?: readonly { message: string; path?: readonly (string | number)[]; extensions: ErrorExtensions }[]
}

/** Sends one GraphQL request with the browser's cookies. Throws a ServerError for the first refusal, or a NetworkError. */
export async function execute<Result, Variables>(
  document: TypedDocument<Result, Variables>,
  variables: Variables,
  { organizationId, signal }: Options,
): Promise<Answer<Result>> {
  if (document.text.startsWith('mutation')) forgetEarly()
  const { data, errors } = await postOrTakeEarly<Result>(toBody(document, variables), {
    organizationId,
    signal,
  })
  const refusal = errors?.[0]
  if (refusal) throw new ServerError(refusal.message, refusal.extensions)
  return data as Answer<Result>
}

export type Outcome<Value> = { value: Value } | { error: ServerError }

/**
 * Sends one request with several root fields, each with its own outcome. Throws if the whole request is refused, or
 * if a field reports that the session has ended.
 */
export async function executeEach<Value>(
  document: TypedDocument<Record<string, Value | null>, Record<string, unknown>>,
  variables: Record<string, unknown>,
  { organizationId, signal }: Options,
): Promise<Map<string, Outcome<Value>>> {
  forgetEarly()
  const { data, errors = [] } = await postOrTakeEarly<Record<string, Value | null>>(toBody(document, variables), {
    organizationId,
    signal,
  })
  const outcomes = new Map<string, Outcome<Value>>()
  for (const [name, value] of Object.entries(data ?? {})) if (value !== null) outcomes.set(name, { value })
  for (const { message, path, extensions } of errors) {
    const error = new ServerError(message, extensions)
    if (path?.[0] === undefined || error.code === 'UNAUTHORIZED') throw error
    outcomes.set(String(path[0]), { error })
  }
  return outcomes
}

async function postOrTakeEarly<Result>(body: string, { organizationId, signal }: Options): Promise<Response<Result>> {
  const early = await takeEarly({ organizationId, body })
  if (isAnswer<Result>(early)) return early
  try {
    const response = await sendRequest({ organizationId, body }, signal)
    noteServerTime(response)
    const answer: unknown = await response.json()
    if (isAnswer<Result>(answer)) return answer
  } catch (error) {
    if (signal?.aborted) throw error
    // The answer is not JSON, such as the error page of a proxy, or there was no answer.
    throw new NetworkError(error)
  }
  throw new NetworkError()
}

/** Whether the JSON is an answer of GraphQL: a proxy may send other JSON. */
function isAnswer<Result>(answer: unknown): answer is Response<Result> {
  return typeof answer === 'object' && answer !== null && ('data' in answer || 'errors' in answer)
}
