import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { describeRestApi } from '../../rest/openapi/document.ts'
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

/** Everything that has a type, or shapes to choose from. */
function findSchemas(part: unknown): JsonSchema[] {
  if (typeof part !== 'object' || part === null) return []
  const inner = Object.entries(part).flatMap(([name, value]) => (/^examples?$/.test(name) ? [] : findSchemas(value)))
  return 'type' in part || 'oneOf' in part ? [part as JsonSchema, ...inner] : inner
}

describe('the OpenAPI document', () => {
  it("has one operation for each row of the table, with a verb at the start of each read's name", () => {
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

  it('states which codes each refusal may have, and its headers', () => {
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
      // Refusals that are kept for requests with an Idempotency-Key.
      const isKept = /^(NotFound|Conflict|OptionInUse|PlanArchived|Validation)/.test(name)
      const own = isKept ? ['Idempotency-Replayed'] : (special[name] ?? [])
      expect(Object.keys(headers), name).toEqual(['X-Request-Id', ...own])
    }
  })

  it('has patterns that mean the same with and without the flag u, in any language', () => {
    const patterns = [...new Set(findAll(document, 'pattern'))].filter((pattern) => typeof pattern === 'string')

    expect(patterns.length).toBeGreaterThan(5)
    for (const pattern of patterns) {
      expect(pattern).not.toMatch(/\\[/pPuk]/)
      const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')]
      for (const sample of samples) expect([sample, plain.test(sample)]).toEqual([sample, unicode.test(sample)])
    }
  })

  it("describes each list's items, each object's fields, and which value selects which shape of a union", () => {
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

  it('lets clients ignore fields of answers that they do not know', () => {
    const answers = Object.entries(document.components.schemas).filter(([name]) => !/Input$|^ImportLine$/.test(name))
    expect(answers.length).toBeGreaterThan(20)
    for (const [name, schema] of answers) expect(findAll(schema, 'additionalProperties'), name).not.toContain(false)
    // As inputs do, which refuse unknown fields.
    expect(findAll(document.components.schemas, 'additionalProperties')).toContain(false)
  })

  it("passes Redocly's recommended rules", async () => {
    const config = await createConfig({
      extends: ['recommended'],
      // A path without parameters precedes one with them: `join` is not an id of an organization.
      rules: { 'no-ambiguous-paths': 'off' },
    })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    const told = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
    expect(told).toEqual([])
  })
})
