import { isServerError } from '../api/errors.ts'
import { execute, executeEach, type Options, type Outcome } from '../api/execute.ts'
import { queryClient } from '../api/query-client.ts'
import type { Answer, TypedDocument } from '../api/typed-document.ts'
import { ViewerDocument } from '../generated/session.ts'
import { latestOpening, recoverSession } from './ended-session.ts'

/** Like `execute`; if the session has ended, opens it again and repeats the request. */
export async function request<Result, Variables>(
  document: TypedDocument<Result, Variables>,
  variables: Variables,
  options: Options,
): Promise<Answer<Result>> {
  return withSession(options.organizationId, () => execute(document, variables, options))
}

/** Like `executeEach`; if the session has ended, opens it again and repeats the request. */
export async function requestEach<Value>(
  document: TypedDocument<Record<string, Value | null>, Record<string, unknown>>,
  variables: Record<string, unknown>,
  options: Options,
): Promise<Map<string, Outcome<Value>>> {
  const outcomes = await withSession(options.organizationId, () => executeEach(document, variables, options))
  for (const outcome of outcomes.values()) if ('error' in outcome) refreshRights(options.organizationId, outcome.error)
  return outcomes
}

async function withSession<Result>(organizationId: string | null, send: () => Promise<Result>): Promise<Result> {
  const before = latestOpening(organizationId)
  try {
    return await send()
  } catch (error) {
    refreshRights(organizationId, error)
    if (!isServerError(error, 'UNAUTHORIZED') || !(await recoverSession(organizationId, before))) throw error
    return send()
  }
}

/** A refusal may mean that the person's role was changed: reads the role again, so that the page offers what it may do. */
function refreshRights(organizationId: string | null, error: unknown): void {
  if (organizationId === null || !isServerError(error, 'FORBIDDEN')) return
  void queryClient.invalidateQueries({ queryKey: [organizationId, ViewerDocument.name] })
}
