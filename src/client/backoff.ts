import type { Environment } from './platform.ts'

/** A random wait before the next attempt. Its upper bound doubles with each failure, from `least` to `most` milliseconds. */
export function backoffMs(
  { random }: Pick<Environment, 'random'>,
  { least, most }: { least: number; most: number },
  failures: number,
): number {
  return Math.min(least * 2 ** failures, most) * random()
}

const maxRetryAfterSeconds = 60

/** The wait that an answer's `Retry-After` asks for, but at most a minute: a proxy may ask for far more than is needed. */
export function requestedWaitMs({ retryAfterSeconds }: { retryAfterSeconds: number | null }): number {
  return Math.min(retryAfterSeconds ?? 0, maxRetryAfterSeconds) * 1_000
}
