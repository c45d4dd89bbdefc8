import {
  findMappingFault,
  type Mapping,
  mapColumnsNamedLikeFields,
  plainFields,
  toField,
} from '../../core/import-file/mapping.ts'
import { Problem } from '../problem.ts'

/** Reads `subscriber_id=Customer,overrides.seats=Seats`. */
export function parseMapping(text: string): Mapping {
  return text.split(',').map((part) => {
    const [name = '', ...column] = part.split('=')
    const field = toField(name.trim())
    if (!field || column.length === 0) {
      throw new Problem(
        `--map has "${part}", but takes ${plainFields.join(', ')} or overrides.FEATURE, and then = and a column, such as subscriber_id=Customer. An override may also have overrides.FEATURE.starts_at, .expires_at and .note; starts_at, expires_at and note alone are for all overrides of a row.`,
        { code: 'USAGE' },
      )
    }
    return { field, column: column.join('=').trim() }
  })
}

/** Adds columns that are named like fields. Throws a Problem if a mapped column does not exist, or if no column has the id. */
export function completeMapping(mapping: Mapping, columns: readonly string[]): Mapping {
  const complete = mapColumnsNamedLikeFields(mapping, columns)
  const fault = findMappingFault(complete, columns)
  const names = columns.map((column) => `"${column}"`).join(', ')
  switch (fault?.type) {
    case undefined:
      return complete
    case 'no column':
      throw new Problem(`--map names the column "${fault.column}", but the columns are ${names}.`, { code: 'USAGE' })
    case 'two columns':
      throw new Problem(`Two columns are called "${fault.column}". Rename one of them.`, { code: 'INVALID_FILE' })
    case 'no value':
      throw new Problem(`${fault.part} needs a column for the value: ${fault.value}.`, { code: 'USAGE' })
    case 'no id':
      throw new Problem(
        `No column is called subscriber_id. Name the column with the ids: --map subscriber_id=COLUMN. The columns are ${names}.`,
        { code: 'USAGE' },
      )
  }
}
