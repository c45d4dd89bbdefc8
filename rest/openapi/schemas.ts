import { z } from 'zod'
import type { JsonSchema } from '../../src/core/input-schema.ts'

/** Collects the named schemas, so that the document contains each of them once. */
export type Schemas = {
  /** The schema of an answer. */
  ofAnswer(schema: z.ZodType): JsonSchema
  components: Record<string, JsonSchema>
}

export function collectSchemas(): Schemas {
  const components: Record<string, JsonSchema> = {}
  return {
    components,
    ofAnswer(schema) {
      // Within an object, so that a named schema is referred to and not repeated.
      const { $defs, properties } = refer(z.toJSONSchema(z.object({ schema }), { override: shorten }))
      Object.assign(components, $defs)
      return (properties as { schema: JsonSchema }).schema
    },
  }
}

/** The pattern of a timestamp is very long, and its format says the same. */
function shorten({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern
}

function refer(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
