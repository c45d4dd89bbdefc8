import type { Environment } from './platform.ts'

/** A random wait before the next attempt: after each failure it may be twice as long, from `least` to `most` milliseconds. */
export function backoffMs(
  { random }: Pick<Environment, 'random'>,
  { least, most }: { least: number; most: number },
  failures: number,
): number {
  return Math.min(least * 2 ** failures, most) * random()
}
