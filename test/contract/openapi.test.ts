import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { describeRestDoor } from '../../rest/openapi/document.ts'
import { restRoutes } from '../../rest/routes.ts'

const document = describeRestDoor()

describe('the OpenAPI document', () => {
  it('has one operation for each row of the table, under its name', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`),
    )
    const rows = restRoutes.map(({ operation: { name, method, route } }) => `${name}: ${method} ${route}`)
    expect(described.toSorted()).toEqual(rows.toSorted())
  })

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
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
