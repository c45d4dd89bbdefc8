import type { Row } from './report.ts'

export type AttackBounds = {
  /** Null on a machine that other programs share, where times are meaningless. */
  times: Times | null
  /** Memory of the process during an attack: in total, or as a multiple of its memory before. */
  peak: { megabytes: number } | { ofBefore: number }
  /** Memory of the process once the attack is over. */
  afterMegabytes: number
  /** How often to repeat an attack whose faults a slow moment may have caused; its last run counts. */
  repeats: number
}

type Times = {
  healthMs: number
  /** The limit for the neighbour's checks: a multiple of their time without an attack, or milliseconds. */
  check: { ofQuiet: number; ms: number }
}

/**
 * For CI, without limits on times. V8 keeps its heap of 512 MB once it has grown; buffers, code, and fragments that malloc
 * keeps come on top: of two runs of the same attacks, one kept 660 MB and the other 800 MB, and both stayed there.
 */
export const lenient: AttackBounds = { times: null, peak: { megabytes: 1000 }, afterMegabytes: 900, repeats: 2 }

/** For an otherwise idle machine. */
export const strict: AttackBounds = {
  times: { healthMs: 500, check: { ofQuiet: 4, ms: 100 } },
  peak: { ofBefore: 1.5 },
  // Ten times the load fills V8's heap to its limit; the rest is in fragments that malloc keeps. After all attacks, memory
  // stayed at 902 MB.
  afterMegabytes: 1000,
  repeats: 1,
}

/** The limits for stored data: a multiple of the bytes sent, and bytes for each audit entry and imported line. */
const storedLimits = { timesSent: 4, bytesOfEntry: 4096, slackBytes: 4 * 1024 * 1024 }

/** `mayBeStall`: a machine that stands still for a second causes this too. */
export type Fault = { sentence: string; mayBeStall: boolean }

/** If a thread that has little to do waits this long for the processor, the machine stands still. */
export const stallMs = 1_000

/** Violations that count in any run. */
export function checkAlwaysBounds({ watched, stored, sentBytes }: Row): Fault[] {
  const { wrong, refused, unanswered } = watched
  const found: Fault[] = []
  const add = (mayBeStall: boolean, sentence: string) => found.push({ mayBeStall, sentence })
  if (wrong.length > 0) add(false, `${wrong.length} answers to the neighbour were wrong, such as ${wrong[0]}`)
  if (refused.length > 0) add(true, `${refused.length} requests of the neighbour got 503, such as ${refused[0]}`)
  if (unanswered.length > 0)
    add(true, `${unanswered.length} requests of the neighbour got no answer, such as ${unanswered[0]}`)
  const { timesSent, bytesOfEntry, slackBytes } = storedLimits
  const allowed = timesSent * sentBytes + bytesOfEntry * stored.entries + slackBytes
  if (stored.bytes > allowed) {
    const limits = `${sentBytes} sent and ${stored.entries} entries, and ${allowed} are allowed`
    add(false, `${stored.bytes} bytes were stored for ${limits}`)
  }
  return found
}

/** The broken limits of time and memory, one sentence each. */
export function checkBounds(
  row: Row,
  quietCheckMs: number,
  { times, peak, afterMegabytes: mostAfter }: AttackBounds,
): string[] {
  const { watched, beforeMegabytes, afterMegabytes } = row
  const { healthWorstMs, checkP99Ms, peakMegabytes } = watched
  const found: string[] = []
  if (times) {
    const checkMs = Math.max(times.check.ms, times.check.ofQuiet * quietCheckMs)
    if (healthWorstMs > times.healthMs)
      found.push(`/healthz took ${healthWorstMs.toFixed(0)} ms, and ${times.healthMs} ms are allowed`)
    if (checkP99Ms > checkMs)
      found.push(
        `the neighbour's checks took ${checkP99Ms.toFixed(0)} ms (p99), and ${checkMs.toFixed(0)} ms are allowed`,
      )
  }
  const mostMegabytes = 'megabytes' in peak ? peak.megabytes : peak.ofBefore * beforeMegabytes
  if (peakMegabytes > mostMegabytes)
    found.push(`the process held ${peakMegabytes.toFixed(0)} MB, and ${mostMegabytes.toFixed(0)} MB are allowed`)
  if (afterMegabytes > mostAfter)
    found.push(`${afterMegabytes.toFixed(0)} MB were held after it, and ${mostAfter} MB are allowed`)
  return found
}
