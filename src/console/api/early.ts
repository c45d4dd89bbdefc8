import type { TypedDocument } from './typed-document.ts'

/*
 * Reads that a small script starts while the console's own scripts are still on their way (`early.ts`). Each answer is used
 * once, by the request with the same body.
 */

declare global {
  /** By `keyOf`. */
  var earlyAnswers: Map<string, Promise<unknown>> | undefined
}

type Request = { organizationId: string | null; body: string }

const keyOf = ({ organizationId, body }: Request) => `${organizationId} ${body}`

/** An answer that no page asked for by then is out of date. */
const usableForMs = 60_000

export function toBody<Result, Variables>(document: TypedDocument<Result, Variables>, variables: Variables): string {
  return JSON.stringify({ query: document.text, variables, operationName: document.name })
}

export function send({ organizationId, body }: Request, signal: AbortSignal | null = null): Promise<Response> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (organizationId !== null) headers['x-organization-id'] = organizationId
  return fetch('/graphql', { method: 'POST', headers, body, signal })
}

export function sendEarly(request: Request): void {
  // Read at once: an answer that nobody reads would keep its connection.
  const answer = send(request).then((response) => response.json())
  // Whoever takes it handles the failure.
  answer.catch(() => {})
  globalThis.earlyAnswers ??= new Map()
  globalThis.earlyAnswers.set(keyOf(request), answer)
}

/** The answer to this request, if it was sent early; undefined if it has to be sent. */
export async function takeEarly(request: Request): Promise<unknown> {
  const early = globalThis.earlyAnswers?.get(keyOf(request))
  if (!early) return undefined
  globalThis.earlyAnswers?.delete(keyOf(request))
  if (performance.now() > usableForMs) return undefined
  try {
    return await early
  } catch {
    return undefined
  }
}

/** Data that was read before a write may be outdated. Requests that were refused before a session was opened are sent again. */
export function forgetEarly(): void {
  globalThis.earlyAnswers?.clear()
}
