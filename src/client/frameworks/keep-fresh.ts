import type { Entitlements } from '../entitlements.ts'

/**
 * How often the client is asked. This is as long as answers may be used after the feed falls silent. Where no feed gets
 * through, answers are requested again this often.
 */
const periodMs = 10_000

export type KeepFreshOptions = {
  subscriber: string
  /** Calls the client, which asks the service only if its answer may be outdated. */
  ask(): void
  /** If true, the first call waits until the client is ready. For callers that already have an answer to show. */
  isPatient?: boolean
}

/** Asks the client whenever its answers may have changed. Returns a stop function. */
export function keepFresh(
  client: Pick<Entitlements, 'on'>,
  { subscriber, ask, isPatient = false }: KeepFreshOptions,
): () => void {
  const stops = [
    client.on('changed', (event) => {
      if (event.subscriber === subscriber) ask()
    }),
    client.on('ready', () => ask()),
  ]
  const timer = setInterval(ask, periodMs)
  // In Node, the timer does not keep the process alive.
  ;(timer as { unref?(): void }).unref?.()
  if (!isPatient) ask()
  return () => {
    clearInterval(timer)
    for (const stop of stops) stop()
  }
}
