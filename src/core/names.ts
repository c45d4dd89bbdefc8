/* A field is `display_name` in operations, and `displayName` in database rows and in GraphQL. */

export type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

export function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Makes the name of a type from a name in any notation: `not_found` becomes `NotFound`. */
export function toPascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export type Columns<Fields> = { [Name in keyof Fields as CamelCase<Name>]: Fields[Name] }

/** Renames an input's fields to the names of their columns. */
export function toColumns<Fields extends object>(fields: Fields): Columns<Fields> {
  const columns = Object.entries(fields).map(([name, value]) => [toCamelCase(name), value])
  return Object.fromEntries(columns) as Columns<Fields>
}

/** Renames a row's columns to the field names that operations use. */
export function toFields(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [toSnakeCase(name), value]))
}
