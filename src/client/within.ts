import { errorOf } from './api/errors.ts'
import { type AbortSignalLike, type Environment, maxTimerMs, newAbort } from './platform.ts'

/** Runs the work, and throws `TimeoutError` once the time is over, even if the work ignores its signal. */
export function withinMs<Result>(
  environment: Pick<Environment, 'later'>,
  ms: number,
  run: (signal: AbortSignalLike) => Promise<Result>,
): Promise<Result> {
  const abort = newAbort()
  return new Promise((resolve, reject) => {
    const stop = environment.later(Math.min(ms, maxTimerMs), () => {
      reject(errorOf({ code: 'TIMED_OUT', message: `There was no answer within ${Math.ceil(ms)} ms.` }))
      abort.abort()
    })
    run(abort.signal).then(resolve, reject).finally(stop)
  })
}
