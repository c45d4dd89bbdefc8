import { isServerError } from './errors.ts'
import { execute, type Options } from './execute.ts'
import { recoverSession } from './session.ts'
import type { Answer, TypedDocument } from './typed-document.ts'

/** As `execute`; a session that ended is opened again, and the request is sent once more. */
export async function request<Result, Variables>(
  document: TypedDocument<Result, Variables>,
  variables: Variables,
  options: Options,
): Promise<Answer<Result>> {
  try {
    return await execute(document, variables, options)
  } catch (error) {
    if (!isServerError(error, 'UNAUTHORIZED') || !(await recoverSession(options.organizationId))) throw error
    return execute(document, variables, options)
  }
}
