import type { JsonSchema } from '../../src/core/input-schema.ts'
import { isPlainObject } from '../../src/core/json.ts'
import type { OpenApiDocument } from './document.ts'

/**
 * Converts the document to OpenAPI 3.0, for generators that do not read 3.1. Webhooks become an extension. Throws for a keyword
 * without a rule, so that no keyword stays unconverted.
 */
export function toOpenApi30({ webhooks, ...document }: OpenApiDocument): object {
  const { summary, license, ...info } = document.info as OpenApiDocument['info'] & { summary: string; license: License }
  return {
    ...(convertSchemas({ ...document, 'x-webhooks': webhooks }, []) as OpenApiDocument),
    openapi: '3.0.3',
    info: { ...info, description: `${summary} ${info.description}`, license: toLicense30(license) },
  }
}

type License = { name: string; identifier: string }

function toLicense30({ name, identifier }: License) {
  return { name, url: `https://spdx.org/licenses/${identifier}.html` }
}

/**
 * Converts all schemas of the document: the values of `schema`, and the schemas in the components. Drops examples, because many
 * validators reject null for a reference, even with `nullable`.
 */
function convertSchemas(part: unknown, path: readonly string[]): unknown {
  const [parent, name] = [path.at(-2), path.at(-1)]
  if (name === 'schema' || (path.length === 3 && parent === 'schemas')) return toSchema30(part as JsonSchema)
  if (Array.isArray(part)) return part.map((item) => convertSchemas(item, [...path, '']))
  if (!isPlainObject(part)) return part
  const { example: _, ...rest } = part
  return mapValues(rest, (value, key) => convertSchemas(value, [...path, key]))
}

/** Converts a schema from JSON Schema 2020-12 to the dialect of OpenAPI 3.0. */
export function toSchema30(schema: JsonSchema): JsonSchema {
  const { $ref, ...beside } = schema
  if (typeof $ref === 'string') {
    // OpenAPI 3.0 ignores all keywords beside a reference.
    return Object.keys(beside).length === 0 ? { $ref } : { ...toSchema30(beside), allOf: [{ $ref }] }
  }
  const other = withoutNull(schema)
  if (other) return toNullable(toSchema30(other))
  const entries = Object.entries(schema).map(([keyword, value]) => {
    const convert = converters[keyword]
    if (!convert) throw new Error(`${keyword} needs a rule in rest/openapi/document-3.0.ts`)
    return convert(value, keyword)
  })
  return Object.assign({}, ...entries)
}

/** The schema without null; undefined if neither its `type` nor its `anyOf` accepts null. */
function withoutNull(schema: JsonSchema): JsonSchema | undefined {
  const { type, anyOf, ...rest } = schema
  if (type === 'null') return { ...rest, enum: [null] }
  if (Array.isArray(type) && type.includes('null')) {
    const others = type.filter((each) => each !== 'null')
    return {
      ...rest,
      ...(others.length === 1 ? { type: others[0] } : { anyOf: others.map((each) => ({ type: each })) }),
    }
  }
  const isNull = (each: JsonSchema) => each.type === 'null' && Object.keys(each).length === 1
  if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return undefined
  const others: JsonSchema[] = anyOf.filter((each) => !isNull(each))
  return others.length === 1 ? { ...others[0], ...rest } : { ...rest, anyOf: others }
}

/** Adds `nullable`, which requires a type: `object` if the schema has none. A schema for any JSON value already allows null. */
function toNullable({ $ref, ...schema }: JsonSchema): JsonSchema {
  const allOf = $ref === undefined ? schema.allOf : [{ $ref }]
  if (JSON.stringify(allOf)?.includes('/JsonValue"')) return { description: schema.description }
  const anyOf = schema.anyOf as JsonSchema[] | undefined
  if (anyOf?.every(({ type }) => type)) return { ...schema, anyOf: anyOf.map((each) => ({ ...each, nullable: true })) }
  const values = schema.enum as unknown[] | undefined
  return {
    type: 'object',
    ...schema,
    ...(allOf !== undefined && { allOf }),
    // An enum accepts null only if its list contains null.
    ...(values && { enum: [...new Set([...values, null])] }),
    nullable: true,
  }
}

type Convert = (value: unknown, keyword: string) => JsonSchema

const keepKeyword: Convert = (value, keyword) => ({ [keyword]: value })
const convertSchema: Convert = (value, keyword) => ({
  [keyword]: isPlainObject(value) ? toSchema30(value) : value,
})
const convertSchemaList: Convert = (value, keyword) => ({ [keyword]: (value as JsonSchema[]).map(toSchema30) })

const converters: Record<string, Convert> = {
  type: keepKeyword,
  format: keepKeyword,
  title: keepKeyword,
  description: keepKeyword,
  default: keepKeyword,
  enum: keepKeyword,
  required: keepKeyword,
  pattern: keepKeyword,
  minimum: keepKeyword,
  maximum: keepKeyword,
  multipleOf: keepKeyword,
  minLength: keepKeyword,
  maxLength: keepKeyword,
  minItems: keepKeyword,
  maxItems: keepKeyword,
  uniqueItems: keepKeyword,
  minProperties: keepKeyword,
  maxProperties: keepKeyword,
  discriminator: keepKeyword,
  example: keepKeyword,
  items: convertSchema,
  additionalProperties: convertSchema,
  not: convertSchema,
  anyOf: convertSchemaList,
  oneOf: convertSchemaList,
  allOf: convertSchemaList,
  properties: (value) => ({ properties: mapValues(value as Record<string, JsonSchema>, toSchema30) }),
  const: (value) => ({ enum: [value] }),
  examples: (value) => ({ example: (value as unknown[])[0] }),
  exclusiveMinimum: (value) => ({ minimum: value, exclusiveMinimum: true }),
  exclusiveMaximum: (value) => ({ maximum: value, exclusiveMaximum: true }),
  // OpenAPI 3.0 cannot restrict the names of properties.
  propertyNames: () => ({}),
}

function mapValues<From, To>(
  part: Record<string, From>,
  convert: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, convert(value, key)]))
}
