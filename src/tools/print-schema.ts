import { writeFileSync } from 'node:fs'
import { printSchema } from 'graphql'
import { schema } from '../graphql/schema.ts'

/** The schema as the repository stores it, sorted by name. */
export function printedSchema(): string {
  return `${printSchema(schema)}\n`
}

if (import.meta.main) writeFileSync(new URL('../graphql/schema.graphql', import.meta.url), printedSchema())
