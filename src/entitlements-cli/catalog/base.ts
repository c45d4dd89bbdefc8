import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Catalog } from '../../core/catalog/catalog.ts'
import type { StampedCatalog, Stamps } from './read-service.ts'

/** The state of the service's catalog that a file was made from. */
export type Base = {
  hash: string
  /** When the most recently changed object of the catalog changed; `-` for an empty catalog. */
  changedAt: string
}

/** The line of the file's header that contains the base. */
const basePattern = /^# entitlements-base: (\S+) (\S+)$/m

export function baseOf({ catalog, stamps }: StampedCatalog): Base {
  const [newest = '-'] = timesOf(stamps).toSorted().toReversed()
  return { hash: hashCatalog(catalog), changedAt: newest }
}

function timesOf({ features, plans }: Stamps): string[] {
  return [...features.values(), ...plans.values()]
}

/** The base in the file's header; null if there is none. */
export function readBase(text: string): Base | null {
  const [, hash, changedAt] = basePattern.exec(text.replaceAll('\r\n', '\n')) ?? []
  return hash === undefined || changedAt === undefined ? null : { hash, changedAt }
}

/** The same text with another base. */
export function withBase(text: string, { hash, changedAt }: Base): string {
  const line = `# entitlements-base: ${hash} ${changedAt}`
  const known = /^# entitlements-base: [^\r\n]*/m
  if (known.test(text)) return text.replace(known, line)
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  // Editors expect the `yaml-language-server` line at the top.
  return text.replace(/^(\uFEFF?)(# yaml-language-server:[^\n]*\n)?/, `$1$2${line}${end}`)
}

/** Writes the base into the file, if the file has another one. */
export function recordBase(path: string, base: Base): void {
  const text = readFileSync(path, 'utf8')
  const recorded = withBase(text, base)
  if (recorded !== text) writeFileSync(path, recorded)
}

/** The hash of a catalog's contents, regardless of their order. */
function hashCatalog(catalog: Catalog): string {
  return `sha256-${createHash('sha256')
    .update(JSON.stringify(toSortedEntries(catalog)))
    .digest('base64url')}`
}

/** Converts objects and maps to lists, in the order of their keys. */
function toSortedEntries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSortedEntries)
  if (typeof value !== 'object' || value === null) return value
  const entries: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value)
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, toSortedEntries(each)])
}
