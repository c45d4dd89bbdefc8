import { isDiskFull, isOutage } from './outage.ts'
import type { Usability } from './write-probe.ts'

const probeEveryMs = 500
/** A failure that comes within this time after an outage is still part of it, because a statement may time out late. */
const outageTailMs = 20_000
/** The maximum number of lines for failures without an outage, because failures come in bursts. */
const maxLines = 3

/** The kind of an outage: the database is unavailable (`away`), or restricted. */
export type Outage = 'away' | Exclude<Usability, 'ready'>

export type OutageLog = {
  /** Returns true if the line is about a failure of the database; the line is then written later, or dropped in an outage. */
  takes(line: unknown, write: () => void): boolean
  close(): void
}

type OutageLogOptions = {
  /** Rejects when the database cannot be used at all. */
  probe(): Promise<Usability>
  onBegin(outage: Outage, error: unknown): void
  onEnd(outage: { seconds: number; leftOut: number }): void
  /** Called with the number of dropped lines that are similar to the lines just written. */
  onLeftOut(count: number): void
}

/** `isFull`: a statement has found no disk space since the last check of the database; the check itself may still find some. */
type Failures = { since: number; error: unknown; isFull: boolean; lines: (() => void)[]; count: number }

/**
 * Logs an outage of the database as two lines, its beginning and its end: otherwise each request, each loop of the worker
 * and each lost connection would log a line, thousands per minute. A database that takes no writes is an outage, too.
 *
 * | State    | A failure       | A check finds no problem      | A check finds a problem                      |
 * |----------|-----------------|-------------------------------|----------------------------------------------|
 * | fine     | → doubtful      |                               |                                              |
 * | doubtful | is kept         | → fine; logs the kept lines   | → outage; logs the beginning                 |
 * | outage   | is counted      | → fine; logs the end          | checks again; logs a change of the kind      |
 */
export function createOutageLog({ probe, onBegin, onEnd, onLeftOut }: OutageLogOptions): OutageLog {
  let state: 'fine' | 'doubtful' | Outage = 'fine'
  let failures: Failures = { since: 0, error: null, isFull: false, lines: [], count: 0 }
  let endedAt = -Infinity
  let timer: NodeJS.Timeout | null = null

  async function probeOnce(): Promise<void> {
    const probeResult = await probe().catch(() => 'away' as const)
    const usability = probeResult === 'ready' && failures.isFull ? 'no_writes' : probeResult
    failures.isFull = false
    if (state === 'fine') return
    if (usability !== 'ready') begin(usability)
    else if (state === 'doubtful') logFailures()
    else end()
    if (isOutageState(state)) timer = setTimeout(() => void probeOnce(), probeEveryMs).unref()
  }

  function begin(outage: Outage): void {
    if (state === outage) return
    state = outage
    onBegin(outage, failures.error)
  }

  function end(): void {
    state = 'fine'
    endedAt = performance.now()
    onEnd({ seconds: Math.round((endedAt - failures.since) / 100) / 10, leftOut: failures.count })
  }

  function logFailures(): void {
    state = 'fine'
    if (failures.since - endedAt < outageTailMs) return
    for (const write of failures.lines) write()
    if (failures.count > failures.lines.length) onLeftOut(failures.count - failures.lines.length)
  }

  return {
    takes(line, write) {
      const { err: error, status } = (line ?? {}) as { err?: unknown; status?: unknown }
      // Requests that waited behind unanswered requests are also refused, without an error of the database.
      const isConsequence = state !== 'fine' && status === 503
      if (!isOutage(error) && !isConsequence) return false
      if (state === 'fine') {
        state = 'doubtful'
        failures = { since: performance.now(), error, isFull: false, lines: [], count: 0 }
        timer = setTimeout(() => void probeOnce(), 0).unref()
      }
      failures.count += 1
      failures.isFull ||= isDiskFull(error)
      if (state === 'doubtful' && failures.lines.length < maxLines) failures.lines.push(write)
      return true
    },
    close() {
      if (timer) clearTimeout(timer)
      if (state === 'doubtful') logFailures()
      state = 'fine'
    },
  }
}

function isOutageState(state: 'fine' | 'doubtful' | Outage): state is Outage {
  return state !== 'fine' && state !== 'doubtful'
}
