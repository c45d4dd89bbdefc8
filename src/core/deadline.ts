export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
}

/**
 * Calls `expire` after this time, but not before the process has read what arrived meanwhile: a process that had no processor for
 * seconds runs its timers first, and would give up on answers that are already there. Returns the function that cancels it.
 */
export function afterReading(ms: number, expire: () => void): () => void {
  let reading: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    reading = setImmediate(expire)
  }, ms)
  return () => {
    clearTimeout(timer)
    clearImmediate(reading)
  }
}

/** The result, or `toError` after the deadline, on the clock of `performance.now()`; the work then continues unobserved. */
export async function withDeadline<T>(
  deadline: number,
  result: Promise<T>,
  toError: () => Error = () => new DeadlineExceeded('The database did not answer in time.'),
): Promise<T> {
  const late = Promise.withResolvers<never>()
  // The error is made only then: its stack trace was a fortieth of what a write costs this process.
  const expire = () => late.reject(toError())
  const cancel = afterReading(Math.max(0, deadline - performance.now()), expire)
  try {
    return await Promise.race([result, late.promise])
  } finally {
    cancel()
  }
}
