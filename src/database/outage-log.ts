import { isOutage } from './outage.ts'

const probeEveryMs = 500
/** A failure this soon after an outage still belongs to it: a statement may be given up late. */
const aftermathMs = 20_000
/** The maximum of lines for failures that turn out not to be an outage; they come in crowds. */
const maxLines = 3

export type OutageLog = {
  /** Takes a line about a failure of the database, and writes it later, or drops it during an outage. */
  takes(line: unknown, write: () => void): boolean
  close(): void
}

export type OutageLogOptions = {
  /** Resolves when the database can be used. */
  ping(): Promise<void>
  onBegin(error: unknown): void
  onEnd(outage: { seconds: number; leftOut: number }): void
  /** The number of dropped lines similar to those just written. */
  onLeftOut(count: number): void
}

type Failures = { since: number; error: unknown; lines: (() => void)[]; count: number }

/**
 * Logs an outage of the database as two lines, its begin and its end: otherwise each request, each loop of the worker and
 * each lost connection would log its own, thousands in a minute.
 *
 * | State    | A failure comes | The database answers          | It does not              |
 * |----------|-----------------|-------------------------------|--------------------------|
 * | fine     | → doubtful      |                               |                          |
 * | doubtful | is kept         | → fine; writes what it kept   | → away; writes the begin |
 * | away     | is counted      | → fine; writes the end        | asks again               |
 */
export function createOutageLog({ ping, onBegin, onEnd, onLeftOut }: OutageLogOptions): OutageLog {
  let state: 'fine' | 'doubtful' | 'away' = 'fine'
  let failures: Failures = { since: 0, error: null, lines: [], count: 0 }
  let endedAt = -Infinity
  let timer: NodeJS.Timeout | null = null

  async function probe(): Promise<void> {
    const answers = await ping().then(
      () => true,
      () => false,
    )
    if (state === 'doubtful' && answers) settleDoubt()
    else if (state === 'doubtful') begin()
    else if (state === 'away' && answers) end()
    if (state === 'away') timer = setTimeout(() => void probe(), probeEveryMs).unref()
  }

  function begin(): void {
    state = 'away'
    onBegin(failures.error)
  }

  function end(): void {
    state = 'fine'
    endedAt = performance.now()
    onEnd({ seconds: Math.round((endedAt - failures.since) / 100) / 10, leftOut: failures.count })
  }

  function settleDoubt(): void {
    state = 'fine'
    if (failures.since - endedAt < aftermathMs) return
    for (const write of failures.lines) write()
    if (failures.count > failures.lines.length) onLeftOut(failures.count - failures.lines.length)
  }

  return {
    takes(line, write) {
      const error = (line as { err?: unknown } | null)?.err
      if (!isOutage(error)) return false
      if (state === 'fine') {
        state = 'doubtful'
        failures = { since: performance.now(), error, lines: [], count: 0 }
        timer = setTimeout(() => void probe(), 0).unref()
      }
      failures.count += 1
      if (state === 'doubtful' && failures.lines.length < maxLines) failures.lines.push(write)
      return true
    },
    close() {
      if (timer) clearTimeout(timer)
      if (state === 'doubtful') settleDoubt()
      state = 'fine'
    },
  }
}
