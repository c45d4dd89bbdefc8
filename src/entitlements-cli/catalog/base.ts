import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Catalog } from '../../core/catalog/catalog.ts'
import type { StampedCatalog, Stamps } from './read-service.ts'

/** The state of an organization's catalog that a file was made from. */
export type Base = {
  organizationId: string
  hash: string
  /** When the most recently changed object of the catalog changed; `-` for an empty catalog. */
  changedAt: string
}

/** A line of the file's header that contains a base. Earlier versions did not name the organization. */
const basePattern = /^# entitlements-base: (\S+) (\S+)(?: (\S+))?$/gm

const namesOwner = /^# entitlements-base: \S+ \S+ \S/

export function baseOf({ catalog, stamps }: StampedCatalog, organizationId: string): Base {
  const [newest = '-'] = timesOf(stamps).toSorted().toReversed()
  return { organizationId, hash: hashCatalog(catalog), changedAt: newest }
}

function timesOf({ features, plans }: Stamps): string[] {
  return [...features.values(), ...plans.values()]
}

/** The organization's base in the file's header; null if there is none. A line without an organization may be for any. */
export function readBase(text: string, organizationId: string): Base | null {
  const lines = [...text.replaceAll('\r\n', '\n').matchAll(basePattern)]
  const [, hash, changedAt] = lines.find(([, , , id]) => id === organizationId) ?? lines.find(([, , , id]) => !id) ?? []
  return hash === undefined || changedAt === undefined ? null : { organizationId, hash, changedAt }
}

/** The same text with another base for the organization. Bases for other organizations stay. */
export function withBase(text: string, { organizationId, hash, changedAt }: Base): string {
  const line = `# entitlements-base: ${hash} ${changedAt} ${organizationId}`
  const lines: string[] = text.match(/^# entitlements-base: [^\r\n]*/gm) ?? []
  const known =
    lines.find((each) => each.endsWith(` ${organizationId}`)) ?? lines.find((each) => !namesOwner.test(each))
  if (known !== undefined) return text.replace(known, line)
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
