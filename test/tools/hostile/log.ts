/** More lines than this in the log of one attack are a burden in themselves. The service writes fifty of one kind a minute. */
const maxLines = { atOnce: 200, perMinute: 100 }

const error = 50

/** Faults in the server's log: errors, because callers must not cause work for operators, and floods of lines. */
export function readFaults(output: string, seconds: number): string[] {
  const lines = output.split('\n').filter(Boolean)
  const errors = lines.filter(isError)
  const faults: string[] = []
  if (errors.length > 0) faults.push(`the log has ${errors.length} errors, such as ${errors[0]?.slice(0, 600)}`)
  const most = maxLines.atOnce + maxLines.perMinute * (seconds / 60)
  if (lines.length > most) faults.push(`the log has ${lines.length} lines, such as ${lines.at(-1)?.slice(0, 300)}`)
  return faults
}

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
