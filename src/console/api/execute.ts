import { type ErrorExtensions, NetworkError, ServerError } from './errors.ts'
import type { Answer, TypedDocument } from './typed-document.ts'

export type Options = {
  /** Chooses the console session that the request is signed with; null for what a person does for themselves. */
  organizationId: string | null
  signal?: AbortSignal | undefined
}

type Response<Result> = {
  data?: Result
  errors?: readonly { message: string; extensions: ErrorExtensions }[]
}

/** One GraphQL request with the browser's cookies. Throws a ServerError for the first refusal, or a NetworkError. */
export async function execute<Result, Variables>(
  document: TypedDocument<Result, Variables>,
  variables: Variables,
  { organizationId, signal }: Options,
): Promise<Answer<Result>> {
  const { data, errors } = await post<Result>(
    { query: document.text, variables, operationName: document.name },
    { organizationId, signal },
  )
  const refusal = errors?.[0]
  if (refusal) throw new ServerError(refusal.message, refusal.extensions)
  return data as Answer<Result>
}

async function post<Result>(body: object, { organizationId, signal }: Options): Promise<Response<Result>> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (organizationId !== null) headers['x-organization-id'] = organizationId
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: signal ?? null,
    })
    return await response.json()
  } catch (error) {
    if (signal?.aborted) throw error
    // A proxy's page is not JSON.
    throw new NetworkError(error)
  }
}
