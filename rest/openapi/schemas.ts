import { z } from 'zod'
import type { JsonSchema } from '../../src/core/input-schema.ts'

/** Collects the schemas that have a name, so that the document has each of them once. */
export type Schemas = {
  /** What an answer looks like. */
  ofAnswer(schema: z.ZodType): JsonSchema
  components: Record<string, JsonSchema>
}

export function collectSchemas(): Schemas {
  const components: Record<string, JsonSchema> = {}
  return {
    components,
    ofAnswer(schema) {
      // Within an object, so that a schema with a name is referred to and not written out.
      const { $defs, properties } = refer(z.toJSONSchema(z.object({ schema }), { override: shorten }))
      Object.assign(components, $defs)
      return (properties as { schema: JsonSchema }).schema
    },
  }
}

/** The pattern of a timestamp is a screenful, and its format says the same. */
function shorten({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern
}

function refer(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
