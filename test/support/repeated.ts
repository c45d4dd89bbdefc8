import { randomUUID } from 'node:crypto'
import { assertMatchesDescription } from './answers.ts'
import type { Caller } from './service.ts'

/** An answer with the text of its body, to compare bytes. */
export type AnswerWithText = {
  status: number
  text: string
  replayed: string | null
  requestId: string | null
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape.
  body: any
}

export type RepeatedWrite = [method: string, path: string, body?: unknown]

/** One REST request with an `Idempotency-Key`, to the server at `url`. */
export async function sendOnce(
  url: string,
  { key }: Pick<Caller, 'key'>,
  [method, path, body]: RepeatedWrite,
  idempotencyKey: string = randomUUID(),
): Promise<AnswerWithText> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-api-key': key,
      'idempotency-key': idempotencyKey,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const answer = await toAnswer(response)
  assertMatchesDescription(method, `${url}${path}`, { ...answer, headers: response.headers })
  return answer
}

/** Like `sendOnce`, for a GraphQL document. */
export async function runOnceInGraphql(
  url: string,
  { key }: Pick<Caller, 'key'>,
  query: string,
  idempotencyKey: string = randomUUID(),
  rest: object = {},
): Promise<AnswerWithText> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'idempotency-key': idempotencyKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query, ...rest }),
  })
  return toAnswer(response)
}

async function toAnswer(response: Response): Promise<AnswerWithText> {
  const { status, headers } = response
  const text = await response.text()
  return {
    status,
    text,
    replayed: headers.get('idempotency-replayed'),
    requestId: headers.get('x-request-id'),
    body: text === '' ? undefined : JSON.parse(text),
  }
}
