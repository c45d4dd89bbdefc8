import type { StoredData } from './stored-data.ts'
import type { WatchResult } from './watch.ts'

export type Row = {
  name: string
  requests: number
  /** The counted answers, most frequent first. */
  answers: string
  watched: WatchResult
  /** Includes the time until the neighbour was as fast as before. */
  seconds: number
  beforeMegabytes: number
  afterMegabytes: number
  sentBytes: number
  stored: StoredData
  note: string
  faults: string[]
  /** Whether a slow moment may have caused all faults: limits of time and memory, or those of a machine that stood still. */
  mayBeSlow: boolean
}

const columns = [
  'attack',
  'requests',
  'seconds',
  'worst /healthz ms',
  'neighbour p50 ms',
  'p99 ms',
  'its worst check ms',
  'its lists p99 ms',
  'its worst write ms',
  'MB before',
  'peak',
  'after',
  'MB sent',
  'stored',
  'answers',
]

/** The head of a Markdown table; each row is printed when it is ready. */
export function tableHead(): string {
  return [toLine(columns), toLine(columns.map(() => '---'))].join('\n')
}

export function tableRow(row: Row): string {
  const { name, requests, seconds, watched, beforeMegabytes, afterMegabytes, sentBytes, stored, answers, note } = row
  const { healthWorstMs, checkP50Ms, checkP99Ms, checkWorstMs, listP99Ms, writeWorstMs, peakMegabytes } = watched
  const figures = [
    healthWorstMs,
    checkP50Ms,
    checkP99Ms,
    checkWorstMs,
    listP99Ms,
    writeWorstMs,
    beforeMegabytes,
    peakMegabytes,
    afterMegabytes,
  ]
  const rounded = figures.map((figure) => figure.toFixed(0))
  const megabytes = [sentBytes, stored.bytes].map((bytes) => (bytes / 1e6).toFixed(1))
  return toLine([
    name,
    `${requests}`,
    seconds.toFixed(1),
    ...rounded,
    ...megabytes,
    [note, answers].filter(Boolean).join('; '),
  ])
}

function toLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
