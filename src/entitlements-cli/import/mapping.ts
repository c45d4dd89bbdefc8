import type { Feature } from '../catalog/catalog.ts'
import { Problem } from '../problem.ts'
import { findShortened, toOverride } from './override.ts'

const plainFields = ['subscriber_id', 'name', 'plan_id'] as const
/** Fields of an override beside its value. Without the name of a feature, they are those of all overrides of a row. */
const overrideFields = ['starts_at', 'expires_at', 'note'] as const

type Field = { name: string } | { feature: string; part?: string } | { ofAll: string }

/** Which column or field of the file is which field of a subscriber. */
export type Mapping = readonly { field: Field; column: string }[]

/** Reads `subscriber_id=Customer,overrides.seats=Seats`. */
export function parseMapping(text: string): Mapping {
  return text.split(',').map((part) => {
    const [name = '', ...column] = part.split('=')
    const field = toField(name.trim())
    if (!field || column.length === 0) {
      throw new Problem(
        `--map has "${part}", but takes ${plainFields.join(', ')} or overrides.FEATURE, and then = and a column, such as subscriber_id=Customer. Beside the value of an override: overrides.FEATURE.starts_at, .expires_at and .note; starts_at, expires_at and note alone are for all overrides of a row.`,
        { code: 'USAGE' },
      )
    }
    return { field, column: column.join('=').trim() }
  })
}

function toField(name: string): Field | null {
  if (plainFields.some((each) => each === name)) return { name }
  if (overrideFields.some((each) => each === name)) return { ofAll: name }
  const [, feature, part] = /^overrides\.([a-z0-9_-]{1,64})(?:\.([a-z_]+))?$/.exec(name) ?? []
  if (feature === undefined) return null
  return part === undefined ? { feature } : { feature, part }
}

/** The mapping with each column that is called like a field. A Problem if a mapped one does not exist, or none has the id. */
export function completeMapping(mapping: Mapping, columns: readonly string[]): Mapping {
  const names = columns.map((column) => `"${column}"`).join(', ')
  const missing = mapping.find(({ column }) => !columns.includes(column))
  if (missing)
    throw new Problem(`--map names the column "${missing.column}", but the columns are ${names}.`, { code: 'USAGE' })
  const usual = columns.flatMap((column) => {
    const field = toField(column)
    const isMapped = field !== null && mapping.some((each) => nameOf(each.field) === nameOf(field))
    return field === null || isMapped ? [] : [{ field, column }]
  })
  const complete = [...mapping, ...usual]
  const twice = complete.find(({ column }) => columns.indexOf(column) !== columns.lastIndexOf(column))
  if (twice)
    throw new Problem(`Two columns are called "${twice.column}". Rename one of them.`, { code: 'INVALID_FILE' })
  const known = new Set(complete.map(({ field }) => nameOf(field)))
  for (const { field } of complete) {
    if (!('part' in field) || known.has(`overrides.${field.feature}`)) continue
    throw new Problem(`${nameOf(field)} needs a column for the value: overrides.${field.feature}.`, { code: 'USAGE' })
  }
  if (known.has('subscriber_id')) return complete
  throw new Problem(
    `No column is called subscriber_id. Say which one it is: --map subscriber_id=COLUMN. The columns are ${names}.`,
    { code: 'USAGE' },
  )
}

function nameOf(field: Field): string {
  if ('name' in field) return field.name
  if ('ofAll' in field) return field.ofAll
  return ['overrides', field.feature, ...(field.part === undefined ? [] : [field.part])].join('.')
}

export function namesOverrides(mapping: Mapping): boolean {
  return mapping.some(({ field }) => 'feature' in field)
}

/** What the service's exports and our files of refused rows have besides. */
const ownColumns = ['created_at', 'updated_at', 'error']

/** The columns that an import does not read. An end or a note says nothing where no column has an override. */
export function findIgnored(mapping: Mapping, columns: readonly string[]): string[] {
  const isUsed = ({ field }: Mapping[number]) => !('ofAll' in field) || namesOverrides(mapping)
  const used = new Set([...ownColumns, ...mapping.filter(isUsed).map(({ column }) => column)])
  return columns.filter((column) => column !== '' && !used.has(column))
}

type Mapped = { line: object; fault: null } | { line: null; fault: string }

/**
 * The line for the service from the values by column. An empty or absent value says nothing, so it changes nothing.
 */
export function mapValues(
  values: ReadonlyMap<string, unknown>,
  mapping: Mapping,
  features: ReadonlyMap<string, Pick<Feature, 'kind' | 'value_type'>>,
): Mapped {
  const line: Record<string, unknown> = {}
  const ofAll: [string, unknown][] = []
  const parts: { feature: string; part: string; value: unknown }[] = []
  const overrides = new Map<string, object | null>()
  for (const { field, column } of mapping) {
    const value = values.get(column)
    if (value === undefined || value === '') continue
    const refuse = (fault: string) => ({ line: null, fault: `${column}: ${fault}` })
    if ('name' in field) {
      const fault = field.name === 'name' ? null : findShortened(value)
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
  const given = overrides.size > 0 && { overrides: Object.fromEntries(overrides) }
  return { line: { ...line, ...given }, fault: null }
}
