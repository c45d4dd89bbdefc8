import type { EntitlementsError } from './api/errors.ts'
import type { Emitter } from './events.ts'
import type { Environment } from './platform.ts'
import { withinMs } from './within.ts'

type UntilReadyOptions = {
  environment: Environment
  emitter: Emitter
  timeoutMs: number
  last: EntitlementsError | null
  begin(): unknown
}

/** Resolves when the service is ready. Throws if it refuses the credentials, or the last failure if it is not ready in time. */
export async function untilReady({ environment, emitter, timeoutMs, last, begin }: UntilReadyOptions): Promise<void> {
  const removeListeners: (() => void)[] = []
  try {
    await withinMs(environment, timeoutMs, () => {
      begin()
      return new Promise<void>((resolve, reject) => {
        const handleError = (error: EntitlementsError | null) => {
          last = error
          if (error?.status === 401 || error?.status === 403) reject(error)
        }
        removeListeners.push(
          emitter.on('ready', () => resolve()),
          emitter.on('error', ({ error }) => handleError(error)),
        )
        handleError(last)
      })
    })
  } catch (error) {
    throw last ?? error
  } finally {
    for (const stop of removeListeners) stop()
  }
}
