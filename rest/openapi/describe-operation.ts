import { z } from 'zod'
import { errorBodySchema } from '../../src/core/error-answer.ts'
import { inputSchemaOf, type JsonSchema } from '../../src/core/input-schema.ts'
import { toPascalCase } from '../../src/core/names.ts'
import { acceptsIdempotencyKey, replayedHeader } from '../../src/operation/idempotent-request.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'
import { readsQuery } from '../query.ts'
import type { Example } from './examples.ts'
import { operationIdOf } from './operation-id.ts'
import { hasEtag, type Parameter, parametersOf } from './parameters.ts'
import { addsData, type Refusals, refusalsOf } from './refusals.ts'
import type { Schemas } from './schemas.ts'

type OperationRow = { operation: AnyOperation; tag: string; setsCookies: boolean; example: Example | undefined }

type SchemaWithExample = { schema: JsonSchema; example?: unknown }
type Content = {
  'application/json'?: SchemaWithExample
  'application/x-ndjson'?: SchemaWithExample
  'text/csv'?: SchemaWithExample
}
type Reference = { $ref: string }

export type DescribedOperation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: object[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Reference | { description: string; headers: Record<string, Reference>; content?: Content }>
}

export function describeOperation(
  { operation, tag, setsCookies, example }: OperationRow,
  { schemas, refusals }: { schemas: Schemas; refusals: Refusals },
): DescribedOperation {
  const { summary, answer } = operation
  const parameters = parametersOf(operation, schemas, example)
  const requestBody = describeBody(operation, schemas, example)
  return {
    operationId: operationIdOf(operation),
    summary,
    description: describe(operation),
    tags: [tag],
    security: securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      [successStatusOf(operation)]: {
        description: answer ? (answer.schema.description ?? 'Success.') : 'Success, without a body.',
        headers: headersOf(operation, setsCookies),
        ...(answer && { content: describeAnswer(operation, schemas, example) }),
      },
      ...(hasEtag(operation) && { 304: { description: notModifiedDescription, headers: headersOf(operation, false) } }),
      ...describeRefusals(operation, refusals),
    },
  }
}

const notModifiedDescription =
  'One of the tags in `If-None-Match` still matches, so there is no body. This counts as an eval too.'

/** The operation's description, and who may call it. */
function describe(operation: AnyOperation): string {
  return [operation.about, describeCallers(operation), addsData(operation) && storageFullNote].filter(Boolean).join(' ')
}

function describeCallers(operation: AnyOperation): string {
  if (operation.kind === 'sign_in' || operation.kind === 'open_read') return 'Anyone may call this.'
  if (!('labels' in operation)) return 'Requires a personal sign-in.'
  const labels = operation.labels.map((label) => `\`${label}\``)
  const role = `Requires a role with the label ${labels.join(' or ')}`
  return 'tokens' in operation && operation.tokens ? `${role}, or the subscriber's token.` : `${role}.`
}

const storageFullNote =
  '409 with `field` `stored_bytes`: the organization has reached its storage limit. Writes that delete, revoke, cancel or pause still work.'

export function successStatusOf(operation: AnyOperation): number {
  return 'status' in operation ? operation.status : 200
}

function securityOf(operation: AnyOperation): object[] {
  const { kind } = operation
  if (kind === 'sign_in' || kind === 'open_read') return []
  if (kind === 'user_read' || kind === 'user_write') return [{ bearer: [] }]
  if (!('tokens' in operation) || !operation.tokens) return [{ apiKey: [] }]
  return [{ apiKey: [] }, ...(operation.tokens === 'either_header' ? [{ bearerKey: [] }] : []), { subscriberToken: [] }]
}

/** Describes the request's body; undefined if the operation reads no body. */
function describeBody(
  operation: AnyOperation,
  schemas: Schemas,
  example: Example | undefined,
): DescribedOperation['requestBody'] {
  if (operation.kind === 'bulk_write') {
    const schema = { ...schemas.refer(inputSchemaOf(operation.line)), description: 'One line.' }
    return { required: false, content: lines(schema, firstLine(example)) }
  }
  const { name, input } = operation
  if (readsQuery(operation) || Object.keys(input.shape).length === 0) return undefined
  const isRequired = !z.object(input.shape).safeParse({}).success
  const schema = schemas.refer(inputSchemaOf(input, `${toPascalCase(name)}Input`))
  return { required: isRequired, content: json(schema, example?.body) }
}

/** The first line of an example whose body is NDJSON text. */
function firstLine(example: Example | undefined): unknown {
  return example && JSON.parse(String(example.body).split('\n')[0] as string)
}

function describeAnswer(operation: AnyOperation, schemas: Schemas, example: Example | undefined): Content {
  const answer = schemas.ofAnswer((operation.answer as { schema: z.ZodType }).schema)
  const content = json(answer, example?.answer)
  if (operation.kind === 'read' && operation.exports) return { ...content, ...describeExport(operation.exports) }
  if (operation.kind !== 'bulk_write') return content
  const refusal = schemas.ofAnswer(errorBodySchema('SERVICE_UNAVAILABLE'))
  const progress = schemas.ofAnswer((operation.progress as { schema: z.ZodType }).schema)
  const anyOf = [toSingleFieldObject('progress', progress), toSingleFieldObject('result', answer), refusal]
  const description =
    'One line. Each second, a line has the progress; the last line has the result, or an error in the usual format.'
  return { ...content, ...lines({ description, anyOf }, undefined) }
}

const streamed = 'Every matching row, streamed'

/** Both exports contain every matching row, whatever `limit` says. */
function describeExport({ columns }: { columns: readonly string[] }): Content {
  return {
    ...lines({ type: 'object', additionalProperties: true, description: `${streamed} as a line of JSON.` }, undefined),
    'text/csv': {
      schema: {
        type: 'string',
        description: `${streamed} as a line of CSV (RFC 4180), with the columns ${columns.join(', ')}.`,
      },
    },
  }
}

function toSingleFieldObject(name: string, schema: JsonSchema): JsonSchema {
  return { type: 'object', properties: { [name]: schema }, required: [name], additionalProperties: false }
}

function json(schema: JsonSchema, example: unknown): Content {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } }
}

function lines(schema: JsonSchema, example: unknown): Content {
  return { 'application/x-ndjson': { schema, ...(example !== undefined && { example }) } }
}

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

function headersOf(operation: AnyOperation, setsCookies: boolean): Record<string, Reference> {
  return {
    ...requestId,
    ...(hasEtag(operation) && {
      'Cache-Control': { $ref: '#/components/headers/Revalidated' },
      ETag: { $ref: '#/components/headers/ETag' },
    }),
    ...(acceptsIdempotencyKey(operation) && { [replayedHeader]: { $ref: '#/components/headers/Replayed' } }),
    ...(setsCookies && { 'Set-Cookie': { $ref: '#/components/headers/Session' } }),
  }
}

function describeRefusals(operation: AnyOperation, refusals: Refusals): Record<string, Reference> {
  const references = Array.from(refusalsOf(operation), ([status, codes]) => [status, refusals.referTo(status, codes)])
  return Object.fromEntries(references)
}
