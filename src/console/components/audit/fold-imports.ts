import { isSameJson } from '../text/value.ts'
import { type AuditEntry, isDone } from './describe-entry.ts'
import { type Details, isObject } from './details.ts'

/** An entry as a list shows it. Of an import in several parts: the newest one, with the counts of all. */
export type FoldedEntry = {
  entry: AuditEntry
  /** The request ids of the older parts. */
  parts: string[]
}

/** Whether the entry is of a whole import, not of one of its lines, and says what it changed. */
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

/** The parts of an import follow each other at once. */
const maxGapMs = 60_000
/** Fewer lines are the end of an import, not a part of a longer one, unless every line set the same. */
const minPartLines = 500
const counts = ['lines', 'created', 'updated', 'unchanged', 'failed']

/** The entries, newest first; an import that the console sent in parts is one. */
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
