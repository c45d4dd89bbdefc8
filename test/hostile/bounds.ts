import type { Row } from './report.ts'

export type Bounds = {
  healthMs: number
  /** Memory of the process during an attack. */
  peakMegabytes: number
  /** Memory of the process once the attack is over. */
  afterMegabytes: number
  /** How often an attack that broke only a limit is repeated, and judged by its best run: the machine may have had a slow moment. */
  repeats: number
}

/** For CI machines, which are slow. V8 keeps what its heap of 512 MB once took; buffers and code come on top. */
export const lenient: Bounds = { healthMs: 2000, peakMegabytes: 900, afterMegabytes: 760, repeats: 2 }

/** For a machine that does nothing else. */
export const strict: Bounds = { healthMs: 250, peakMegabytes: 800, afterMegabytes: 760, repeats: 0 }

/** What is out of bounds, one sentence each. */
export function judge({ watched, afterMegabytes, faults }: Row, bounds: Bounds): string[] {
  const { healthWorstMs, peakMegabytes, wrong, right, refused } = watched
  const found = [...faults]
  if (healthWorstMs > bounds.healthMs)
    found.push(`/healthz took ${healthWorstMs.toFixed(0)} ms, and ${bounds.healthMs} ms are allowed`)
  if (peakMegabytes > bounds.peakMegabytes)
    found.push(`the process held ${peakMegabytes.toFixed(0)} MB, and ${bounds.peakMegabytes} MB are allowed`)
  if (afterMegabytes > bounds.afterMegabytes)
    found.push(`${afterMegabytes.toFixed(0)} MB were held after it, and ${bounds.afterMegabytes} MB are allowed`)
  if (wrong.length > 0) found.push(`${wrong.length} answers to the neighbour were wrong, such as ${wrong[0]}`)
  if (refused.length > 0) found.push(`${refused.length} requests of the neighbour got 503, such as ${refused[0]}`)
  if (right === 0 && healthWorstMs > bounds.healthMs) found.push('the neighbour got no answer at all')
  return found
}
