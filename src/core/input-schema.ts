import { z } from 'zod'
import { describeField } from './field-type.ts'
import type { Input, Variants } from './input.ts'
import { isPlainObject } from './json.ts'
import { toPascalCase } from './names.ts'

export type JsonSchema = { [name: string]: unknown }

type DescribedInput = Pick<Input<unknown>, 'name' | 'shape' | 'unknown' | 'variants'>

/** The input as JSON Schema, with each field's purpose and allowed values. `defaultName` names an input without a name. */
export function inputSchemaOf(input: DescribedInput, defaultName = 'Input'): JsonSchema {
  const { name = defaultName, shape, unknown, variants } = input
  const { $defs, ...schema } = jsonSchemaOf(unknown === 'reject' ? z.strictObject(shape) : z.object(shape))
  const own = variants ? toUnion(name, schema, variants) : { [name]: schema }
  return { $ref: refTo(name), $defs: { ...own, ...($defs as object) } }
}

function refTo(name: string): string {
  return `#/$defs/${name}`
}

/** JSON Schema for the values that a zod schema accepts. Named schemas are in its `$defs`. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      // Zod types `zodSchema` as a schema of its core package, but all our schemas are instances of `z.ZodType`.
      const description = describeField(zodSchema as unknown as z.ZodType)
      if (description) jsonSchema.description = description
      // Zod omits the default of a schema that also transforms.
      if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue
      addDiscriminator({ zodSchema, jsonSchema })
    },
  })
  return liftDefinitions(jsonSchema)
}

/** Adds OpenAPI's `discriminator`, which names the field that distinguishes the shapes of a union. */
export function addDiscriminator({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: JsonSchema }): void {
  if (!(zodSchema instanceof z.ZodDiscriminatedUnion)) return
  jsonSchema.discriminator = { propertyName: zodSchema.def.discriminator }
}

/** Moves all named schemas to the top, each once, because parts that were converted separately have their own `$defs`. */
export function liftDefinitions(schema: JsonSchema): JsonSchema {
  const found: Record<string, unknown> = {}
  const root = liftDefs(schema) as JsonSchema
  return Object.keys(found).length === 0 ? root : { ...root, $defs: found }

  function liftDefs(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(liftDefs)
    if (!isPlainObject(part)) return part
    const { $defs = {}, ...rest } = part
    for (const [name, defined] of Object.entries($defs as JsonSchema)) found[name] = liftDefs(defined)
    // Beside a reference, Zod repeats the contents of the named schema: only the reference and a description are kept.
    const { $ref, description } = rest
    if (typeof $ref === 'string') return description === undefined ? { $ref } : { $ref, description }
    const lifted = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, liftDefs(value)]))
    if (!Array.isArray(lifted.type)) return lifted
    // Zod writes some types that may be null as a list of types. Uses `anyOf` for all of them.
    const { type, ...others } = lifted
    return { ...others, anyOf: type.map((each) => ({ type: each })) }
  }
}

/** A union, and an object for each variant with the common fields and the variant's own fields, which are required. */
function toUnion(name: string, schema: JsonSchema, { by, fields }: Variants): Record<string, JsonSchema> {
  const { properties, required = [], ...rest } = schema
  const all = Object.entries(properties as Record<string, JsonSchema>)
  const owned = new Set(Object.values(fields).flat())
  const common = (required as string[]).filter((field) => !owned.has(field))
  const variants = Object.entries(fields).map(([value, own]): [string, JsonSchema] => [
    `${toPascalCase(value)}${name}`,
    {
      ...rest,
      properties: {
        ...Object.fromEntries(all.filter(([field]) => !owned.has(field) || own.includes(field))),
        ...(by !== undefined && { [by]: { type: 'string', const: value } }),
      },
      required: [...common, ...own],
    },
  ])
  const oneOf = variants.map(([variant]) => ({ $ref: refTo(variant) }))
  const union = { oneOf, ...(by !== undefined && { discriminator: { propertyName: by } }) }
  return { [name]: union, ...Object.fromEntries(variants) }
}
