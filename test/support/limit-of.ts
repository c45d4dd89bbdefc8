/** `.ci/run` sets it, because a shared machine can be several times slower than a quiet one. */
const timeLimitFactor = Number(process.env.TIME_LIMIT_FACTOR ?? 1)

/** A limit in milliseconds, from one that suffices on a quiet machine. */
export function limitOf(quietMs: number): number {
  return timeLimitFactor * quietMs
}
