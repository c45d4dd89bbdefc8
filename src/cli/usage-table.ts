export const kinds = ['audit', 'events', 'subscribers', 'overrides', 'catalog', 'other'] as const

/** `bytes` and `at` are null until a worker first counts them. */
export type Usage = { organization_id: string; bytes: Record<(typeof kinds)[number], number> | null; at: string | null }

/** The table that `org:usage` prints: a line for each organization, below the names of the columns. */
export function toTable(usages: readonly Usage[]): string {
  const rows = usages.map(({ organization_id, bytes, at }) => {
    if (bytes === null)
      return [organization_id, 'not counted yet: a worker counts new organizations every five minutes']
    const counts = kinds.map((kind) => bytes[kind])
    return [organization_id, ...[counts.reduce((sum, count) => sum + count, 0), ...counts].map(toText), at ?? '']
  })
  const lines = [['organization', 'all', ...kinds, 'counted at'], ...rows]
  const counted = lines.filter(isCounted)
  const widths = lines[0]?.map((_, index) =>
    // Not `Math.max(...)`, which can take only about 120,000 arguments.
    counted.reduce((width, line) => Math.max(width, line[index]?.length ?? 0), 0),
  )
  return lines
    .map((line) =>
      line
        .map((text, index) => pad(text, index, widths?.[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')

  function isCounted(line: readonly string[]): boolean {
    return line.length > 2
  }
}

/** Right-aligns the numbers. */
function pad(text: string, index: number, width: number): string {
  return index === 0 || index > kinds.length + 1 ? text.padEnd(width) : text.padStart(width)
}

/** One formatter for all numbers: `toLocaleString` takes several times as long, and there may be a million numbers. */
const { format: toText } = new Intl.NumberFormat('en')
