import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { describeRestApi, type OpenApiDocument } from '../../rest/openapi/document.ts'
import { toOpenApi30, toSchema30 } from '../../rest/openapi/document-3.0.ts'
import { operationIdOf } from '../../rest/openapi/operation-id.ts'
import { restRoutes } from '../../rest/routes.ts'
import type { JsonSchema } from '../../src/core/input-schema.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'

const document = describeRestApi()

type Content = Record<string, { schema: JsonSchema }>

const samples = [
  '',
  'acme',
  'cust_4711',
  'p',
  'C',
  'c',
  'a b',
  'a/b',
  '\u0000',
  '\u0085',
  '\u00a0',
  '📦',
  '/org/plans',
  '2026-11',
]

/** The values of a property, anywhere in the document. */
function findAll(part: unknown, name: string): unknown[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => (key === name ? [value] : findAll(value, name)))
}

function findParts(part: unknown): JsonSchema[] {
  if (typeof part !== 'object' || part === null) return []
  return [part as JsonSchema, ...Object.values(part).flatMap(findParts)]
}

/** Every schema that has a type, or shapes to choose from. */
function findSchemas(part: unknown): JsonSchema[] {
  if (typeof part !== 'object' || part === null) return []
  const inner = Object.entries(part).flatMap(([name, value]) => (/^examples?$/.test(name) ? [] : findSchemas(value)))
  return 'type' in part || 'oneOf' in part ? [part as JsonSchema, ...inner] : inner
}

describe('the OpenAPI document', () => {
  it('has one operation for each REST route, with an id that begins with a verb even for reads', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`),
    )
    const nameOf = (operation: AnyOperation) => `${operationIdOf(operation)}: ${operation.method} ${operation.route}`
    const rows = restRoutes.map(({ operation }) => nameOf(operation))
    expect(described.toSorted()).toEqual(rows.toSorted())
    expect(rows).toContain('listPlans: GET /org/plans')
    expect(rows).toContain('getPlan: GET /org/plans/{key}')
    expect(rows).toContain('createPlan: POST /org/plans')
  })

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  })

  it('lists the error codes and the headers of each refusal', () => {
    expect(Object.keys(document.components.responses).length).toBeGreaterThan(8)
    for (const [name, { headers, content }] of Object.entries(document.components.responses)) {
      const { schema } = (content as Content)['application/json'] as { schema: JsonSchema }
      const errors = ((schema.anyOf ?? [schema]) as JsonSchema[]).map((each) => String(each.$ref).split('/').at(-1))
      expect(errors.length, name).toBeGreaterThan(0)
      for (const error of errors) expect(document.components.schemas).toHaveProperty(String(error))
      const special: Record<string, string[]> = {
        UnauthorizedError: ['WWW-Authenticate'],
        RateLimitedError: ['Retry-After'],
        ServiceUnavailableError: ['Retry-After'],
        evaluationFailure503: ['Retry-After'],
        bulkEvaluationFailure503: ['Retry-After'],
      }
      // Refusals that are stored, and repeated, for requests with an Idempotency-Key.
      const isKept = /^(NotFound|Conflict|OptionInUse|PlanArchived|Validation)/.test(name)
      const own = isKept ? ['Idempotency-Replayed'] : (special[name] ?? [])
      expect(Object.keys(headers), name).toEqual(['X-Request-Id', ...own])
    }
  })

  it('has only patterns that mean the same in every language, and with or without the flag u', () => {
    const patterns = [...new Set(findAll(document, 'pattern'))].filter((pattern) => typeof pattern === 'string')

    expect(patterns.length).toBeGreaterThan(5)
    for (const pattern of patterns) {
      expect(pattern).not.toMatch(/\\[/pPuk]/)
      const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')]
      for (const sample of samples) expect([sample, plain.test(sample)]).toEqual([sample, unicode.test(sample)])
    }
  })

  it('describes the items of each list, the fields of each object, and the value that selects each shape of a union', () => {
    for (const schema of findSchemas(document)) {
      expect(Array.isArray(schema.type), JSON.stringify(schema)).toBe(false)
      if (schema.type === 'array') expect(schema).toHaveProperty('items')
      if (schema.type === 'object' && !schema.properties) expect(schema).toHaveProperty('additionalProperties')
      const { propertyName, mapping = {} } = (schema.discriminator ?? {}) as { propertyName?: string; mapping?: object }
      for (const [value, reference] of Object.entries(mapping)) {
        const shape = document.components.schemas[reference.split('/').at(-1)] as { properties: Record<string, object> }
        expect(shape.properties[String(propertyName)]).toEqual({ type: 'string', const: value })
      }
    }
    const unions = Object.entries(document.components.schemas).filter(([, schema]) => 'discriminator' in schema)
    const names = ['Entitlement', 'Feature', 'Grant', 'GrantInput', 'Override', 'OverrideInput', 'OverrideWithSetter']
    expect(unions.map(([name]) => name)).toEqual(names)
  })

  it('allows unknown fields in answers, so that clients ignore them', () => {
    const answers = Object.entries(document.components.schemas).filter(([name]) => !/Input$|^ImportLine$/.test(name))
    expect(answers.length).toBeGreaterThan(20)
    for (const [name, schema] of answers) expect(findAll(schema, 'additionalProperties'), name).not.toContain(false)
    // Only inputs refuse unknown fields.
    expect(findAll(document.components.schemas, 'additionalProperties')).toContain(false)
  })

  it("passes Redocly's recommended rules", async () => {
    expect(await lint(document)).toEqual([])
  })
})

describe('the OpenAPI document in version 3.0', () => {
  const converted = toOpenApi30(document) as OpenApiDocument

  it('is valid OpenAPI 3.0', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(converted))

    expect(converted.openapi).toBe('3.0.3')
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  })

  it("passes Redocly's recommended rules", async () => {
    expect(await lint(converted)).toEqual([])
  })

  it('has a type beside each `nullable`, which is `object` beside a reference', () => {
    const nullable = findParts(converted.components).filter((part) => part.nullable === true)

    expect(nullable.length).toBeGreaterThan(50)
    for (const schema of nullable) {
      expect(schema.type, JSON.stringify(schema)).toBeTypeOf('string')
      for (const { $ref } of [...((schema.allOf ?? schema.anyOf ?? []) as JsonSchema[])]) {
        const { type, oneOf, anyOf } = converted.components.schemas[
          String($ref).split('/').at(-1) as string
        ] as JsonSchema
        expect($ref).not.toMatch(/JsonValue/)
        expect(type ?? ((oneOf ?? anyOf) && 'object'), String($ref)).toBe('object')
      }
    }
  })

  it('has the same operations, parameters, bodies, answers and components as version 3.1', () => {
    expect(outlineOf(converted)).toEqual(outlineOf(document))
    expect(Object.keys(converted['x-webhooks'] as object)).toEqual(Object.keys(document.webhooks))
    expect(Object.keys(converted)).not.toContain('webhooks')
  })

  it('has no keyword of later versions', () => {
    for (const keyword of ['const', '$defs', 'prefixItems', 'propertyNames', 'patternProperties', 'identifier']) {
      expect(findAll(converted, keyword), keyword).toEqual([])
    }
    for (const schema of findSchemas(converted)) {
      expect(Array.isArray(schema.type), JSON.stringify(schema)).toBe(false)
      expect(schema.type).not.toBe('null')
      if ('$ref' in schema) expect(Object.keys(schema)).toEqual(['$ref'])
    }
    expect(findAll(converted, 'nullable').length).toBeGreaterThan(50)
  })

  it.each([
    [
      { const: 'flag', type: 'string' },
      { enum: ['flag'], type: 'string' },
    ],
    [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      { type: ['string', 'integer', 'null'] },
      {
        anyOf: [
          { type: 'string', nullable: true },
          { type: 'integer', nullable: true },
        ],
      },
    ],
    [{ type: 'null' }, { type: 'object', enum: [null], nullable: true }],
    [
      { description: 'A count.', anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] },
      { type: 'integer', minimum: 0, description: 'A count.', nullable: true },
    ],
    [
      { anyOf: [{ $ref: '#/components/schemas/Count' }, { type: 'null' }] },
      { type: 'object', allOf: [{ $ref: '#/components/schemas/Count' }], nullable: true },
    ],
    [
      { anyOf: [{ type: 'string', enum: ['live', 'test'] }, { type: 'null' }] },
      { type: 'string', enum: ['live', 'test', null], nullable: true },
    ],
    [
      { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'null' }] },
      {
        anyOf: [
          { type: 'string', nullable: true },
          { type: 'boolean', nullable: true },
        ],
      },
    ],
    [
      { $ref: '#/components/schemas/Count', description: 'Features.' },
      { allOf: [{ $ref: '#/components/schemas/Count' }], description: 'Features.' },
    ],
    [
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', minimum: 0, exclusiveMinimum: true },
    ],
    [
      { type: 'object', additionalProperties: { const: 1 }, propertyNames: { pattern: '^a' } },
      { type: 'object', additionalProperties: { enum: [1] } },
    ],
    [
      { type: 'object', properties: { const: { type: ['string', 'null'] } } },
      { type: 'object', properties: { const: { type: 'string', nullable: true } } },
    ],
  ])('converts %j to %j', (schema, expected) => {
    expect(toSchema30(schema)).toEqual(expected)
  })

  it('is not made from a schema with a keyword that has no conversion rule', () => {
    expect(() => toSchema30({ type: 'array', prefixItems: [] })).toThrow('prefixItems needs a rule')
  })
})

/** Returns what Redocly reports about the document. */
async function lint(described: object): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    // A path without parameters precedes one with them: `join` is not an id of an organization.
    rules: { 'no-ambiguous-paths': 'off' },
  })
  const problems = await lintFromString({ source: JSON.stringify(described), config })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

/** Everything except the schemas: the credentials of each operation, its parameters and its answers. */
function outlineOf({ paths, components, tags, servers }: OpenApiDocument) {
  const withoutSchemas = JSON.stringify({ paths, tags, servers }, (name, value) => {
    if (name === 'example') return undefined
    return name === 'schema' ? {} : value
  })
  const names = Object.entries(components).map(([kind, members]) => [kind, Object.keys(members)])
  return { operations: JSON.parse(withoutSchemas), names }
}
