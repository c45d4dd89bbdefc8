import type { Row } from './run-faults.ts'

const columns = [
  'fault',
  'rounds',
  'writes answered',
  'lost',
  'refused',
  'unknown',
  'entries',
  'evals',
  'events',
  'lost',
  'twice',
  'out of order',
  'changes',
  'resets',
  'worst answer ms',
  'write again after ms',
  'eval',
  'event',
  'findings',
]

/** The head of a Markdown table; rows are printed as they come. */
export function tableHead(): string {
  return [toLine(columns), toLine(columns.map(() => '---'))].join('\n')
}

export function tableRow({ name, rounds, evals, worstMs, findings, ...of }: Row): string {
  const { verdict, deliveries, followed, recovery } = of
  const { answered, lost, refused, unknown, entries } = verdict
  const { events, lost: lostEvents, repeated, overtaken } = deliveries
  const { writeMs, evalMs, eventMs } = recovery
  const { changes, resets } = followed
  const ofWrites = [rounds, answered, lost, refused, unknown, entries, evals]
  const counts = [...ofWrites, events, lostEvents, repeated, overtaken, changes, resets]
  const times = [worstMs, writeMs, evalMs, eventMs].map(Math.round)
  return toLine([name, ...counts, ...times, findings.length])
}

function toLine(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`
}

const shownFindings = 20

/** Returns a line for each of the first findings, and the number of the others. */
export function describeFindings({ name, findings }: Row): string[] {
  const lines = findings.slice(0, shownFindings).map((finding) => `${name}: ${finding}`)
  const more = findings.length - lines.length
  return more > 0 ? [...lines, `${name}: and ${more} more`] : lines
}
