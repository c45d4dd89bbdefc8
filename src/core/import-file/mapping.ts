import { findShortenedNumber, type ImportedFeature, toOverride } from './override.ts'
import type { Row } from './row.ts'

export const plainFields = ['subscriber_id', 'name', 'plan_id'] as const
/** Fields of an override besides its value. Without the key of a feature, they apply to all overrides of a row. */
export const overrideFields = ['starts_at', 'expires_at', 'note'] as const

export type Field = { name: string } | { feature: string; part?: string } | { ofAll: string }

/** Maps columns or fields of the file to fields of a subscriber. */
export type Mapping = readonly { field: Field; column: string }[]

/**
 * Parses the name of a field: one of `plainFields` or `overrideFields`, `overrides.FEATURE`, or a part of an override, such as
 * `overrides.FEATURE.note`. Null for other names.
 */
export function toField(name: string): Field | null {
  if (plainFields.some((each) => each === name)) return { name }
  if (overrideFields.some((each) => each === name)) return { ofAll: name }
  const [first, feature = '', part, ...rest] = name.split('.')
  if (first !== 'overrides' || rest.length > 0 || !/^[a-z0-9_-]{1,64}$/.test(feature)) return null
  if (part === undefined) return { feature }
  return /^[a-z_]+$/.test(part) ? { feature, part } : null
}

/** Adds each column that has the name of a field, unless another column is mapped to that field. */
export function mapColumnsNamedLikeFields(mapping: Mapping, columns: readonly string[]): Mapping {
  const namedLikeFields = columns.flatMap((column) => {
    const field = toField(column)
    const isMapped = field !== null && mapping.some((each) => nameOf(each.field) === nameOf(field))
    return field === null || isMapped ? [] : [{ field, column }]
  })
  return [...mapping, ...namedLikeFields]
}

type MappingFault =
  | { type: 'no column' | 'two columns'; column: string }
  | { type: 'no value'; part: string; value: string }
  | { type: 'no id' }

/** Finds the reason why rows cannot be read with the mapping. */
export function findMappingFault(mapping: Mapping, columns: readonly string[]): MappingFault | null {
  for (const { column } of mapping) {
    if (!columns.includes(column)) return { type: 'no column', column }
    if (columns.indexOf(column) !== columns.lastIndexOf(column)) return { type: 'two columns', column }
  }
  const known = new Set(mapping.map(({ field }) => nameOf(field)))
  for (const { field } of mapping) {
    if (!('part' in field) || known.has(`overrides.${field.feature}`)) continue
    return { type: 'no value', part: nameOf(field), value: `overrides.${field.feature}` }
  }
  return known.has('subscriber_id') ? null : { type: 'no id' }
}

export function nameOf(field: Field): string {
  if ('name' in field) return field.name
  if ('ofAll' in field) return field.ofAll
  return ['overrides', field.feature, ...(field.part === undefined ? [] : [field.part])].join('.')
}

export function namesOverrides(mapping: Mapping): boolean {
  return mapping.some(({ field }) => 'feature' in field)
}

/** Columns of the service's exports, and of files of refused rows, that are never imported. */
const ownColumns = ['created_at', 'updated_at', 'error']

/** The named columns that have no effect on an import, such as a note for all overrides if no column has an override. */
export function findIgnoredColumns(mapping: Mapping, columns: readonly string[]): string[] {
  const isUsed = ({ field }: Mapping[number]) => !('ofAll' in field) || namesOverrides(mapping)
  const used = new Set([...ownColumns, ...mapping.filter(isUsed).map(({ column }) => column)])
  return columns.filter((column) => column !== '' && !used.has(column))
}

/** Makes the line to send to the service from a row's values, keyed by column. An empty or absent value changes nothing. */
export function mapValues(
  values: ReadonlyMap<string, unknown>,
  mapping: Mapping,
  features: ReadonlyMap<string, ImportedFeature>,
): Pick<Row, 'line' | 'fault'> {
  const line: Record<string, unknown> = {}
  const ofAll: [string, unknown][] = []
  const parts: { feature: string; part: string; value: unknown }[] = []
  const overrides = new Map<string, object | null>()
  for (const { field, column } of mapping) {
    const value = values.get(column)
    if (value === undefined || value === '') continue
    const refuse = (fault: string) => ({ line: null, fault: `${column}: ${fault}` })
    if ('name' in field) {
      const fault = field.name === 'name' ? null : findShortenedNumber(value)
      if (fault !== null) return refuse(fault)
      line[field.name] = value
    } else if ('ofAll' in field) {
      ofAll.push([field.ofAll, value])
    } else if (field.part !== undefined) {
      parts.push({ feature: field.feature, part: field.part, value })
    } else {
      const feature = features.get(field.feature)
      if (!feature) return refuse(`there is no feature "${field.feature}".`)
      const { override, fault } = toOverride(feature, value)
      if (fault !== null) return refuse(fault)
      overrides.set(field.feature, override)
    }
  }
  for (const [feature, override] of overrides) {
    const own = parts.filter((each) => each.feature === feature).map(({ part, value }) => [part, value])
    overrides.set(feature, override && { ...override, ...Object.fromEntries([...ofAll, ...own]) })
  }
  const overrideFieldsOfLine = overrides.size > 0 && { overrides: Object.fromEntries(overrides) }
  return { line: { ...line, ...overrideFieldsOfLine }, fault: null }
}
