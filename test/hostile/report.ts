import type { Watched } from './watch.ts'

export type Row = {
  name: string
  requests: number
  /** How the requests were answered, most frequent first. */
  answers: string
  watched: Watched
  beforeMegabytes: number
  afterMegabytes: number
  note: string
  faults: string[]
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

/** The rows as one Markdown table. */
export function toTable(rows: readonly Row[]): string {
  const cells = rows.map(({ name, requests, watched, beforeMegabytes, afterMegabytes, answers, note }) => [
    name,
    `${requests}`,
    watched.healthWorstMs.toFixed(0),
    watched.checkP99Ms.toFixed(0),
    watched.checkWorstMs.toFixed(0),
    watched.writeWorstMs.toFixed(0),
    beforeMegabytes.toFixed(0),
    watched.peakMegabytes.toFixed(0),
    afterMegabytes.toFixed(0),
    [note, answers].filter(Boolean).join('; '),
  ])
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`
  return [line(columns), line(columns.map(() => '---')), ...cells.map(line)].join('\n')
}
