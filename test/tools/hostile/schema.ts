import { readFileSync } from 'node:fs'
import { buildSchema } from 'graphql'

/** The GraphQL schema as it is printed. */
export const schema = buildSchema(readFileSync(new URL('../../../src/graphql/schema.graphql', import.meta.url), 'utf8'))
