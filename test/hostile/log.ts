/** Longer than this, what one attack makes the server log is a burden of its own. */
const maxLines = 200

const error = 50

/** What the server's log must not have: errors, since nobody has to act because of a caller; and floods of lines. */
export function readFaults(output: string, { mayRunLate }: { mayRunLate: boolean }): string[] {
  const lines = output.split('\n').filter(Boolean)
  const errors = lines.filter((line) => isError(line) && !(mayRunLate && late.test(line)))
  const faults: string[] = []
  if (errors.length > 0) faults.push(`the log has ${errors.length} errors, such as ${errors[0]?.slice(0, 600)}`)
  if (lines.length > maxLines) faults.push(`the log has ${lines.length} lines, such as ${lines.at(-1)?.slice(0, 300)}`)
  return faults
}

/** What a database is said to be that does not answer in time. */
const late = /in time|timeout|cannot use its database|cannot reach its database|lost a database connection/i

function isError(line: string): boolean {
  return !line.startsWith('{') || levelOf(line) >= error
}

function levelOf(line: string): number {
  try {
    return JSON.parse(line).level
  } catch {
    return error
  }
}
