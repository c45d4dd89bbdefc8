import type { Feature } from '../catalog/catalog.ts'
import { Problem } from '../problem.ts'
import { toOverride } from './override.ts'

const plainFields = ['subscriber_id', 'name', 'plan_id'] as const

type Field = { name: (typeof plainFields)[number] } | { feature: string }

/** Which column or field of the file is which field of a subscriber. */
export type Mapping = readonly { field: Field; column: string }[]

/** Reads `subscriber_id=Customer,overrides.seats=Seats`. */
export function parseMapping(text: string): Mapping {
  return text.split(',').map((part) => {
    const [name = '', ...column] = part.split('=')
    const field = toField(name.trim())
    if (!field || column.length === 0) {
      throw new Problem(
        `--map has "${part}", but takes ${plainFields.join(', ')} or overrides.FEATURE, and then = and a column, such as subscriber_id=Customer.`,
        { code: 'USAGE' },
      )
    }
    return { field, column: column.join('=').trim() }
  })
}

function toField(name: string): Field | null {
  const plain = plainFields.find((each) => each === name)
  if (plain) return { name: plain }
  const feature = /^overrides\.([a-z0-9_-]{1,64})$/.exec(name)?.[1]
  return feature === undefined ? null : { feature }
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
  if (complete.some(({ field }) => nameOf(field) === 'subscriber_id')) return complete
  throw new Problem(
    `No column is called subscriber_id. Say which one it is: --map subscriber_id=COLUMN. The columns are ${names}.`,
    { code: 'USAGE' },
  )
}

function nameOf(field: Field): string {
  return 'name' in field ? field.name : `overrides.${field.feature}`
}

export function namesOverrides(mapping: Mapping): boolean {
  return mapping.some(({ field }) => 'feature' in field)
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
  const overrides: [string, unknown][] = []
  for (const { field, column } of mapping) {
    const value = values.get(column)
    if (value === undefined || value === '') continue
    if ('name' in field) {
      line[field.name] = value
      continue
    }
    const feature = features.get(field.feature)
    if (!feature) return { line: null, fault: `${column}: there is no feature "${field.feature}".` }
    const { override, fault } = toOverride(feature, value)
    if (fault !== null) return { line: null, fault: `${column}: ${fault}` }
    overrides.push([field.feature, override])
  }
  const given = overrides.length > 0 && { overrides: Object.fromEntries(overrides) }
  return { line: { ...line, ...given }, fault: null }
}
