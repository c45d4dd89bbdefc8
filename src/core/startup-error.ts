/**
 * An error at startup or in a command that the person at the terminal can correct. They see only the message, so it says
 * what is wrong and what to do. Any other thrown error is a bug of the service.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** The first line of an error's message. An AggregateError has no message, so its first error is used. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.message.trim().split('\n')[0] || error.name
}
