import type { LoadResult } from './http-load.ts'

export type Row = {
  name: string
  service: LoadResult
  bare: LoadResult
  megabytes: number
  /** Processor time for each request. */
  nodeMicros: number
  postgresMicros: number
}

const columns = [
  '',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'max ms',
  'bare requests/s',
  'p50 ms',
  'p99 ms',
  'ratio',
  'node µs',
  'PostgreSQL µs',
  'memory MB',
]

/** The rows as one Markdown table. */
export function toTable(rows: readonly Row[]): string {
  const cells = rows.map(({ name, service, bare, megabytes, nodeMicros, postgresMicros }) => [
    name,
    service.perSecond.toFixed(0),
    service.p50Ms.toFixed(1),
    service.p99Ms.toFixed(1),
    service.maxMs.toFixed(1),
    bare.perSecond.toFixed(0),
    bare.p50Ms.toFixed(1),
    bare.p99Ms.toFixed(1),
    (service.perSecond / bare.perSecond).toFixed(2),
    nodeMicros.toFixed(0),
    postgresMicros.toFixed(0),
    megabytes.toFixed(0),
  ])
  return toColumnTable(columns, cells)
}

/** The first column has names, the rest figures. */
export function toColumnTable(columns: readonly string[], cells: readonly (readonly string[])[]): string {
  const widths = columns.map((column, index) =>
    Math.max(column.length, 3, ...cells.map((row) => row[index]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, index) => (index === 0 ? `${'-'.repeat(width + 2)}` : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(columns), rule, ...cells.map(line)].join('\n')
}
