import { z } from 'zod'
import { addDiscriminator, type JsonSchema, liftDefinitions } from '../../src/core/input-schema.ts'

/** Collects named schemas, so that the document contains each only once. */
export type Schemas = {
  /** The schema of an answer, or of a part of one. */
  ofAnswer(schema: z.ZodType): JsonSchema
  /** A schema with its `$defs` moved to the document's components. */
  refer(schema: JsonSchema): JsonSchema
  components: Record<string, JsonSchema>
}

export function collectSchemas(): Schemas {
  const components: Record<string, JsonSchema> = {}

  function refer({ $defs = {}, ...schema }: JsonSchema): JsonSchema {
    const definitions = $defs as Record<string, JsonSchema>
    for (const [name, each] of Object.entries(definitions)) components[name] = toComponent(each, definitions)
    return toComponent(schema, definitions)
  }

  return {
    components,
    refer,
    ofAnswer(schema) {
      // Wrapped in an object, so that a named schema is referenced rather than repeated.
      const { $defs, properties } = z.toJSONSchema(z.object({ schema }), { override: describeAnswer })
      return refer(liftDefinitions({ $defs, ...(properties as { schema: JsonSchema }).schema }))
    },
  }
}

function describeAnswer({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: JsonSchema }): void {
  // The pattern of a timestamp is very long, and the format says the same.
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern
  // A later version may add fields to answers, which would break clients that refuse unknown fields.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  addDiscriminator({ zodSchema, jsonSchema })
}

/** The schema with references to components, and a mapping from each discriminator value to its schema. */
function toComponent(schema: JsonSchema, definitions: Record<string, JsonSchema>): JsonSchema {
  const component: JsonSchema = JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${prefix}`))
  if (!component.discriminator) return component
  const { propertyName } = component.discriminator as { propertyName: string }
  const mapping = (component.oneOf as { $ref: string }[]).map(({ $ref }) => {
    const { properties } = definitions[$ref.slice(prefix.length)] as { properties: Record<string, JsonSchema> }
    return [properties[propertyName]?.const, $ref]
  })
  return { ...component, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } }
}

const prefix = '#/components/schemas/'
