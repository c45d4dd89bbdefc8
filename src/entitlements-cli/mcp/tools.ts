import { operations } from '../../client/api/generated/operations.ts'
import type { OperationId } from '../../client/api/index.ts'

/*
 * The tools come from two sources: the client's table of operations, which says whether an operation may change something, and
 * the service's own description (/openapi.json), which has the input of each operation.
 */

type JsonSchema = { [name: string]: unknown }

export type Tool = {
  name: OperationId
  description: string
  inputSchema: { type: 'object'; properties: JsonSchema; required: string[]; $defs?: JsonSchema }
  annotations: { title: string; readOnlyHint: boolean; destructiveHint: boolean }
}

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: JsonSchema }

type OperationDescription = {
  operationId: string
  summary: string
  description?: string
  security: object[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}

export type OpenApi = {
  paths: Record<string, Record<string, OperationDescription>>
  components: { schemas: Record<string, JsonSchema> }
}

/** The operations that an API key may call, and that both the service and the client have, in the order of the reference. */
export function toTools(document: OpenApi, allowsWrites: boolean): Tool[] {
  return Object.values(document.paths)
    .flatMap((methods) => Object.entries(methods))
    .filter(([, operation]) => isForKeys(operation) && operation.operationId in operations && takesJson(operation))
    .map(([, operation]) => toTool(operation, document))
    .filter(({ annotations }) => allowsWrites || annotations.readOnlyHint)
}

function isForKeys({ security }: OperationDescription): boolean {
  return security.some((each) => 'apiKey' in each)
}

/** Whether the operation takes JSON. The import takes lines of a file; `entitlements import` covers it. */
function takesJson({ requestBody }: OperationDescription): boolean {
  return !requestBody || 'application/json' in requestBody.content
}

function toTool(operation: OperationDescription, document: OpenApi): Tool {
  const { operationId, summary, description } = operation
  const name = operationId as OperationId
  return {
    name,
    description: [summary, description].filter(Boolean).join(' '),
    inputSchema: toInputSchema(operation, document),
    annotations: {
      title: summary.replace(/\.$/, ''),
      readOnlyHint: !mayWrite(name),
      // In the protocol, false means that the tool only adds objects.
      destructiveHint: mayWrite(name) && !name.startsWith('create'),
    },
  }
}

/** Whether the operation may change something: then the letters in its row of the table contain `w`. */
function mayWrite(name: OperationId): boolean {
  const [, , traits = ''] = operations[name].split(' ')
  return traits.includes('w')
}

/** The values in the path and the query, and the fields of the body, in one object. */
function toInputSchema({ parameters = [], requestBody }: OperationDescription, document: OpenApi): Tool['inputSchema'] {
  const given = parameters.filter((parameter) => parameter.in === 'path' || parameter.in === 'query')
  const values = Object.fromEntries(given.map(({ name, schema, description }) => [name, { ...schema, description }]))
  const required = given.filter((parameter) => parameter.required).map(({ name }) => name)
  const body = requestBody ? fieldsOf(requestBody.content['application/json']?.schema ?? {}, document) : null
  const properties = { ...values, ...body?.properties }
  const $defs = definitionsOf(properties, document)
  return {
    type: 'object',
    properties: moveReferences(properties),
    required: [...required, ...(body?.required ?? [])],
    ...(Object.keys($defs).length > 0 && { $defs }),
  }
}

type Fields = { properties: JsonSchema; required: string[] }

/** The fields of a schema, or of all its alternatives. A field is required if all alternatives require it. */
export function fieldsOf(schema: JsonSchema, document: OpenApi): Fields {
  const { properties = {}, required = [], oneOf } = resolve(schema, document)
  if (!Array.isArray(oneOf)) return { properties: properties as JsonSchema, required: required as string[] }
  const alternatives = oneOf.map((each) => fieldsOf(each, document))
  const [first, ...others] = alternatives
  const names = new Set(alternatives.flatMap((each) => Object.keys(each.properties)))
  return {
    properties: Object.fromEntries(Array.from(names, (name) => [name, mergeField(name, alternatives)])),
    required: first?.required.filter((name) => others.every((each) => each.required.includes(name))) ?? [],
  }
}

/** The schema of a field. If the alternatives have different schemas for the field, any of these is valid. */
function mergeField(name: string, alternatives: readonly Fields[]): unknown {
  const schemas = alternatives.flatMap(({ properties }) => (name in properties ? [properties[name]] : []))
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  return different.length === 1 ? different[0] : { anyOf: different }
}

const prefix = '#/components/schemas/'

function resolve(schema: JsonSchema, { components }: OpenApi): JsonSchema {
  return typeof schema.$ref === 'string' ? (components.schemas[schema.$ref.slice(prefix.length)] ?? {}) : schema
}

/** The named schemas that are referred to, directly or through other schemas. */
function definitionsOf(schema: JsonSchema, { components }: OpenApi, found: JsonSchema = {}): JsonSchema {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    const definition = components.schemas[name]
    if (name in found || !definition) continue
    found[name] = moveReferences(definition)
    definitionsOf(definition, { components } as OpenApi, found)
  }
  return found
}

function moveReferences(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"${prefix}`, '"#/$defs/'))
}
