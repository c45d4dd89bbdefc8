/**
 * A reason not to start, or not to run a command, that the person at the terminal can correct: the message is the only line
 * that they see, so it says what is wrong and what to do. Any other thrown error is a fault of the service.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** The innermost message of a thrown error: drivers wrap the reason, and an AggregateError has no message itself. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.message.trim().split('\n')[0] || error.name
}
