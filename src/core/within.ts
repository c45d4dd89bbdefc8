export class Late extends Error {
  override readonly name = 'Late'
}

/** The result, or `Late` after the deadline, on the clock of `performance.now()`; the work then continues unobserved. */
export async function within<T>(deadline: number, result: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  // The error is made only then: its stack trace was a fortieth of what a write costs this process.
  const expire = () => late.reject(new Late('The database did not answer in time.'))
  const timer = setTimeout(expire, deadline - performance.now())
  try {
    return await Promise.race([result, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
