import type { Entitlements } from '../entitlements.ts'

type Name = 'Ready' | 'Stale' | 'Error'

/**
 * Tells OpenFeature's SDK whether the service can be reached. The SDK itself reports how a provider's start went: `isImpaired`
 * says that the start failed, so that becoming ready must be reported. Returns a stop function.
 */
export function reportState(
  client: Pick<Entitlements, 'on'>,
  tell: (name: Name, details?: { message: string }) => void,
  isImpaired: boolean,
): () => void {
  let isReady = !isImpaired
  const reportProblem = (name: Name, message: string) => {
    isReady = false
    tell(name, { message })
  }
  const stops = [
    client.on('ready', () => {
      if (!isReady) tell('Ready')
      isReady = true
    }),
    client.on('stale', ({ reason }) => reportProblem('Stale', reason)),
    client.on('unavailable', ({ error }) => reportProblem('Error', error.message)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
