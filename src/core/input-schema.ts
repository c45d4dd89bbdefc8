import { z } from 'zod'
import { describeField } from './field-type.ts'
import type { Input, Variants } from './input.ts'

export type JsonSchema = { [name: string]: unknown }

/** The input as JSON Schema: what is allowed, and what each field is for. */
export function inputSchemaOf(input: Pick<Input<unknown>, 'shape' | 'unknown' | 'variants'>): JsonSchema {
  const { shape, unknown, variants } = input
  const schema = jsonSchemaOf(unknown === 'reject' ? z.strictObject(shape) : z.object(shape))
  return variants ? toOneOf(schema, variants) : schema
}

/** What the schema accepts. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      // Typed as a schema of zod's core, which all of ours are as well.
      const description = describeField(zodSchema as unknown as z.ZodType)
      if (description) jsonSchema.description = description
      // Zod leaves it out for a schema that also transforms.
      if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue
    },
  })
  return jsonSchema
}

/** One object for each variant: the common fields and its own, which it requires. */
function toOneOf({ properties, required = [], ...rest }: JsonSchema, { by, fields }: Variants): JsonSchema {
  const all = Object.entries(properties as Record<string, JsonSchema>)
  const owned = new Set(Object.values(fields).flat())
  const common = (required as string[]).filter((name) => !owned.has(name))
  const oneOf = Object.entries(fields).map(([value, own]) => ({
    ...rest,
    properties: {
      ...Object.fromEntries(all.filter(([name]) => !owned.has(name) || own.includes(name))),
      ...(by !== undefined && { [by]: { type: 'string', const: value } }),
    },
    required: [...common, ...own],
  }))
  return { oneOf }
}
