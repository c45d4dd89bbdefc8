import { type Mapping, mapColumnsNamedLikeFields, nameOf, toField } from '../../../../core/import-file/mapping.ts'

/** Common names of columns, in lower case and without spaces and punctuation. */
const commonColumnNames: readonly [name: string, words: readonly string[]][] = [
  ['subscriber_id', ['subscriberid', 'customerid', 'customerno', 'customernumber', 'accountid', 'id', 'customer']],
  ['name', ['customername', 'accountname', 'company', 'companyname', 'organization', 'organisation']],
  ['plan_id', ['planid', 'plan', 'tier', 'package']],
]

/** Maps columns to fields by their names. Columns with other names are not imported until somebody maps them. */
export function guessMapping(columns: readonly string[], features: readonly string[]): Mapping {
  const usual = mapColumnsNamedLikeFields([], columns)
  const taken = new Set(usual.map(({ field }) => nameOf(field)))
  const guessed = commonColumnNames.flatMap(([name, words]) => {
    const column = words.flatMap((word) => columns.find((each) => normalizeName(each) === word) ?? [])[0]
    const field = toField(name)
    return taken.has(name) || column === undefined || field === null ? [] : [{ field, column }]
  })
  const used = new Set([...usual, ...guessed].map(({ column }) => column))
  const ofFeatures = columns.flatMap((column) => {
    const key = features.find((each) => each === column || normalizeName(each) === normalizeName(column))
    const isFree = key !== undefined && !used.has(column) && !taken.has(`overrides.${key}`)
    return isFree ? [{ field: { feature: key }, column }] : []
  })
  return [...usual, ...guessed, ...ofFeatures]
}

function normalizeName(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
