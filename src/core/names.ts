/* An operation calls a field `display_name`; a row of the database and the GraphQL door call it `displayName`. */

export type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

export function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export type Columns<Fields> = { [Name in keyof Fields as CamelCase<Name>]: Fields[Name] }

/** Fields of an input by the columns that they are stored in. */
export function toColumns<Fields extends object>(fields: Fields): Columns<Fields> {
  const columns = Object.entries(fields).map(([name, value]) => [toCamelCase(name), value])
  return Object.fromEntries(columns) as Columns<Fields>
}

/** A row by the names that operations have for its columns. */
export function toFields(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [toSnakeCase(name), value]))
}
