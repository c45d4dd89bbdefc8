import type { Fault } from './bounds.ts'

/** More lines than this in the log of one attack are a burden in themselves. The service writes fifty of one kind a minute. */
const maxLines = { atOnce: 200, perMinute: 100 }

const error = 50

/** Faults in the server's log: errors, because callers must not cause work for operators, and floods of lines. */
export function readFaults(output: string, seconds: number): Fault[] {
  const lines = output.split('\n').filter(Boolean)
  const errors = lines.filter(isError)
  const describe = (count: number, what: string, example = '') => `the log has ${count} ${what}, such as ${example}`
  const faults: Fault[] = []
  for (const [mayBeStall, some] of Map.groupBy(errors, isOutage))
    faults.push({ mayBeStall, sentence: describe(some.length, 'errors', some[0]?.slice(0, 600)) })
  const most = maxLines.atOnce + maxLines.perMinute * (seconds / 60)
  if (lines.length > most)
    faults.push({ mayBeStall: false, sentence: describe(lines.length, 'lines', lines.at(-1)?.slice(0, 300)) })
  return faults
}

/** Whether the line says that the database did not answer in time, as it does when the machine stands still. */
function isOutage(line: string): boolean {
  if (!line.startsWith('{')) return false
  const { msg = '', err } = JSON.parse(line)
  return msg.startsWith('the database cannot be used') || /timeout|timed out/.test(err?.message ?? '')
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
