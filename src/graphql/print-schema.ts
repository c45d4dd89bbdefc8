import { writeFileSync } from 'node:fs'
import { printSchema } from 'graphql'
import { schema } from './schema.ts'

/** The schema as it is checked in, in the order of names. */
export function printedSchema(): string {
  return `${printSchema(schema)}\n`
}

if (import.meta.main) writeFileSync(new URL('schema.graphql', import.meta.url), printedSchema())
