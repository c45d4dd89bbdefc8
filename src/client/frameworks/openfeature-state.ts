import type { Entitlements } from '../entitlements.ts'

type Name = 'Ready' | 'Stale' | 'Error'

/**
 * Reports to OpenFeature's SDK whether the service can be reached. The SDK itself reports the outcome of a provider's start. If
 * the start failed (`isImpaired`), also reports when the provider becomes ready. Returns a stop function.
 */
export function reportState(
  client: Pick<Entitlements, 'on'>,
  report: (name: Name, details?: { message: string }) => void,
  isImpaired: boolean,
): () => void {
  let isReady = !isImpaired
  const reportProblem = (name: Name, message: string) => {
    isReady = false
    report(name, { message })
  }
  const stops = [
    client.on('ready', () => {
      if (!isReady) report('Ready')
      isReady = true
    }),
    client.on('stale', ({ reason }) => reportProblem('Stale', reason)),
    client.on('unavailable', ({ error }) => reportProblem('Error', error.message)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
