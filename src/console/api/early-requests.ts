import type { TypedDocument } from './typed-document.ts'

/*
 * A small script (`src/console/early.ts`) sends the page's first reads while the console's own scripts still load. Each
 * answer is used once, by the request with the same body.
 */

declare global {
  /** Keyed by `keyOf`. */
  var earlyAnswers: Map<string, Promise<unknown>> | undefined
}

type Request = { organizationId: string | null; body: string }

const keyOf = ({ organizationId, body }: Request) => `${organizationId} ${body}`

/** After this time, an answer that no page used is out of date. */
const usableForMs = 60_000

export function toBody<Result, Variables>(document: TypedDocument<Result, Variables>, variables: Variables): string {
  return JSON.stringify({ query: document.text, variables, operationName: document.name })
}

export function sendRequest({ organizationId, body }: Request, signal: AbortSignal | null = null): Promise<Response> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (organizationId !== null) headers['x-organization-id'] = organizationId
  return fetch('/graphql', { method: 'POST', headers, body, signal })
}

export function sendEarly(request: Request): void {
  // Read the body at once: an unread body would keep its connection open.
  const answer = sendRequest(request).then((response) => response.json())
  // `takeEarly` handles a failure. Without this handler, the browser would report an unhandled rejection.
  answer.catch(() => {})
  globalThis.earlyAnswers ??= new Map()
  globalThis.earlyAnswers.set(keyOf(request), answer)
}

/** The answer to this request, if it was sent early; undefined if the request still has to be sent. */
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

/** Drops the early answers: a write may have made them outdated, and refusals before sign-in no longer apply. */
export function forgetEarly(): void {
  globalThis.earlyAnswers?.clear()
}
