import { isSameJson } from '../text/value.ts'
import { type AuditEntry, isDone } from './describe-entry.ts'
import { type Details, isObject } from './details.ts'

/** An entry as a list shows it. If an import was sent in parts, `entry` is its newest part, with the counts of all parts. */
export type FoldedEntry = {
  entry: AuditEntry
  /** The request ids of the older parts. */
  parts: string[]
}

/** Whether the entry records a whole import, not one of its lines, and has the counts of what the import changed. */
export function isImport(entry: AuditEntry): boolean {
  const { method, route, params, details } = entry
  return (
    `${method} ${route}` === 'POST /org/subscribers/import' && params.length === 0 && isDone(entry) && isObject(details)
  )
}

/** The search parameter that opens all parts of an entry. */
export function toPartsSearch(parts: readonly string[]): { parts: string | undefined } {
  return { parts: parts.length === 0 ? undefined : parts.join(',') }
}

/** The longest time between two parts of one import. */
const maxGapMs = 60_000
/** A part with fewer lines ends its import. This does not apply to imports whose lines all set the same values. */
const minPartLines = 500
const counts = ['lines', 'created', 'updated', 'unchanged', 'failed']

/** The entries, newest first; an import that the console sent in parts becomes one entry. */
export function foldImports(entries: readonly AuditEntry[]): FoldedEntry[] {
  const folded: FoldedEntry[] = []
  for (const [index, entry] of entries.entries()) {
    const [last, newer] = [folded.at(-1), entries[index - 1]]
    if (last && newer && isPartOf(newer, entry)) {
      last.entry = { ...last.entry, details: addCounts(last.entry.details as Details, entry.details as Details) }
      last.parts.push(entry.requestId)
    } else {
      folded.push({ entry, parts: [] })
    }
  }
  return folded
}

function isPartOf(newer: AuditEntry, older: AuditEntry): boolean {
  const [after, before] = [newer.details, older.details] as [Details, Details]
  return (
    isImport(newer) &&
    isImport(older) &&
    newer.actor.memberId === older.actor.memberId &&
    Date.parse(newer.occurredAt) - Date.parse(older.occurredAt) <= maxGapMs &&
    isSameJson(after.each, before.each) &&
    (before.each !== undefined || Number(before.lines) >= minPartLines)
  )
}

function addCounts(one: Details, other: Details): Details {
  return { ...one, ...Object.fromEntries(counts.map((name) => [name, Number(one[name]) + Number(other[name])])) }
}
