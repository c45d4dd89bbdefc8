import { isOutage } from './outage.ts'

const probeEveryMs = 500
/** What fails so long after an outage still belongs to it: a statement that was given up only now. */
const aftermathMs = 20_000
/** Of failures that turn out to be no outage, so many lines are written; they come in crowds. */
const maxLines = 3

export type OutageLog = {
  /** Takes a line that is about a failure of the database, and writes it later, or leaves it out during an outage. */
  takes(line: unknown, write: () => void): boolean
  close(): void
}

export type OutageLogOptions = {
  /** Resolves when the database can be used. */
  ping(): Promise<void>
  onBegin(error: unknown): void
  onEnd(outage: { seconds: number; leftOut: number }): void
  /** Lines like those just written that were left out. */
  onLeftOut(count: number): void
}

type Failures = { since: number; error: unknown; lines: (() => void)[]; count: number }

/**
 * Makes two lines of an outage of the database, its begin and its end: else each request, each loop of the worker and each
 * lost connection writes its own, thousands in a minute.
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
