export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
}

/**
 * Calls `expire` after `ms`, but not before the process has read all data that has arrived: a process that got no CPU time for
 * seconds runs its timers first, and would give up on answers that have already arrived. Returns a cancel function.
 */
export function expireAfterReading(ms: number, expire: () => void): () => void {
  let reading: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    reading = setImmediate(expire)
  }, ms)
  return () => {
    clearTimeout(timer)
    clearImmediate(reading)
  }
}

/** Returns the result, or throws `toError()` at the deadline, a time of `performance.now()`. The work then continues. */
export async function withDeadline<T>(
  deadline: number,
  result: Promise<T>,
  toError: () => Error = () => new DeadlineExceeded('The database did not answer in time.'),
): Promise<T> {
  const late = Promise.withResolvers<never>()
  // Creates the error only when needed: its stack trace took a fortieth of the time that a write takes in this process.
  const expire = () => late.reject(toError())
  const cancel = expireAfterReading(Math.max(0, deadline - performance.now()), expire)
  try {
    return await Promise.race([result, late.promise])
  } finally {
    cancel()
  }
}
