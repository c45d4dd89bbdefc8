import type { Watched } from './watch.ts'

export type Row = {
  name: string
  requests: number
  /** The answers to the requests, most frequent first. */
  answers: string
  watched: Watched
  beforeMegabytes: number
  afterMegabytes: number
  note: string
  faults: string[]
  /** Whether only limits of time and memory were broken. */
  isOnlySlow: boolean
}

const columns = [
  'attack',
  'requests',
  'worst /healthz ms',
  'neighbour p99 ms',
  'its worst check ms',
  'its worst write ms',
  'MB before',
  'peak',
  'after',
  'answers',
]

/** The head of a Markdown table; its rows are printed as they come. */
export function tableHead(): string {
  return [toLine(columns), toLine(columns.map(() => '---'))].join('\n')
}

export function tableRow({ name, requests, watched, beforeMegabytes, afterMegabytes, answers, note }: Row): string {
  const { healthWorstMs, checkP99Ms, checkWorstMs, writeWorstMs, peakMegabytes } = watched
  const figures = [
    healthWorstMs,
    checkP99Ms,
    checkWorstMs,
    writeWorstMs,
    beforeMegabytes,
    peakMegabytes,
    afterMegabytes,
  ]
  const rounded = figures.map((figure) => figure.toFixed(0))
  return toLine([name, `${requests}`, ...rounded, [note, answers].filter(Boolean).join('; ')])
}

function toLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
