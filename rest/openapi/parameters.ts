import { z } from 'zod'
import { type JsonSchema, jsonSchemaOf } from '../../src/core/input-schema.ts'
import { acceptsIdempotencyKey, keyHeader } from '../../src/operation/idempotent-request.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'
import { pathFieldOf } from '../../src/operation/path-fields.ts'
import { queryFieldsOf, readsQuery } from '../query.ts'
import type { Example } from './examples.ts'
import type { Schemas } from './schemas.ts'

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: JsonSchema
  example?: unknown
  style?: 'deepObject'
  explode?: true
}

export function parametersOf(operation: AnyOperation, schemas: Schemas, example: Example | undefined): Parameter[] {
  const { route, input } = operation
  const pathNames = Array.from(route.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
  const parameters = [
    ...pathNames.map((name) => pathParameter(route, name, schemas)),
    ...(readsQuery(operation) ? queryParameters(input).filter(({ name }) => queryFieldsOf(operation).has(name)) : []),
    ...(hasEtag(operation) ? [ifNoneMatch] : []),
    ...(acceptsIdempotencyKey(operation) ? [idempotencyKey] : []),
  ]
  return parameters.map((parameter) => {
    const value = example?.parameters[parameter.name]
    const isText = parameter.schema.type !== 'integer' && parameter.schema.type !== 'boolean'
    return value === undefined ? parameter : { ...parameter, example: isText ? value : JSON.parse(value) }
  })
}

/** Whether the caller may cache the answer. */
export function hasEtag(operation: AnyOperation): boolean {
  return operation.kind === 'eval' && operation.hasEtag === true
}

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'One or several `ETag`s of answers that the caller has. If one of them still matches, the answer is 304 without a body.',
  schema: { type: 'string', maxLength: 8192 },
}

const idempotencyKey: Parameter = {
  name: keyHeader,
  in: 'header',
  required: false,
  description:
    'A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first ' +
    'answer again, and runs once. A different request with the same key gets 422.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: '5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90',
}

function pathParameter(route: string, name: string, schemas: Schemas): Parameter {
  const { description, ...schema } = schemas.ofAnswer(pathFieldOf(route, name))
  return { name, in: 'path', required: true, description: String(description), schema }
}

function queryParameters(input: AnyOperation['input']): Parameter[] {
  const { properties = {}, required = [] } = jsonSchemaOf(z.object(input.shape))
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    // Zod lists a field with a default as required, because the parsed value has it.
    required: (required as string[]).includes(name) && !('default' in schema),
    description: String(description),
    schema,
    // The parameter is written as params[subscriber_id]=acme.
    ...(schema.type === 'object' && ({ style: 'deepObject', explode: true } as const)),
  }))
}
