import { EntitlementsError } from '../client/api/index.ts'
import { type ExitCode, exitCodes, Problem } from './problem.ts'

export type ExplainedError = {
  message: string
  /**
   * The lines to print for the message. A line may itself contain line breaks, which come from text that other people wrote.
   */
  lines: readonly string[]
  code: string
  requestId: string | null
  details: unknown
  exitCode: ExitCode
}

/** Explains anything that was thrown to the user. For a bug, the message is the error's stack. */
export function explain(error: unknown): ExplainedError {
  if (error instanceof Problem) {
    const { message, lines, code, details, exitCode, cause } = error
    const requestId = cause instanceof EntitlementsError ? cause.requestId : null
    return { message, lines, code, requestId, details, exitCode }
  }
  if (error instanceof EntitlementsError) {
    const { code, requestId, details } = error
    return { ...toOneLine(describeRefusal(error)), code, requestId, details, exitCode: exitCodes.failed }
  }
  if (isSystemError(error)) {
    const { code, message } = error
    return { ...toOneLine(`${message}.`), code, requestId: null, details: null, exitCode: exitCodes.failed }
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return {
    message,
    lines: message.split('\n'),
    code: 'BUG',
    requestId: null,
    details: null,
    exitCode: exitCodes.failed,
  }
}

function toOneLine(message: string): Pick<ExplainedError, 'message' | 'lines'> {
  return { message, lines: [message] }
}

/** Whether the system refused a call, such as reading a file: Node's message contains the reason and the path. */
function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error
}

/** The service's own message, which says what to do next, and the id of the request, which is also in the service's log. */
export function describeRefusal({ code, message, requestId }: EntitlementsError): string {
  return `${code}: ${message}${requestId === null ? '' : ` (${requestId})`}`
}
