import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { labelsByRole } from '../../src/access/roles.ts'
import { fieldsOf, fieldsWithoutRow, nestedFields, nestedNames } from './graphql-fields.ts'

const operations = restRoutes.map(({ operation }) => operation)
/** The operations of OFREP are checks and snapshots in another format, for OpenFeature's SDKs only. */
const operationsOfBothApis = operations.filter(({ route }) => !route.startsWith('/ofrep'))

/** The rows of the contract's table of operations. */
const contractRows = `
POST /org/features
GET /org/features
GET /org/features/{key}
PATCH /org/features/{key}
DELETE /org/features/{key}
POST /org/plans
GET /org/plans
GET /org/plans/{key}
PATCH /org/plans/{key}
DELETE /org/plans/{key}
POST /org/plans/{key}/archive
POST /org/plans/{key}/unarchive
POST /org/subscribers
GET /org/subscribers
GET /org/subscribers/{subscriber_id}
PATCH /org/subscribers/{subscriber_id}
DELETE /org/subscribers/{subscriber_id}
POST /org/subscribers/{subscriber_id}/subscriptions
GET /org/subscribers/{subscriber_id}/subscriptions
POST /org/subscribers/{subscriber_id}/subscriptions/change
POST /org/subscribers/{subscriber_id}/subscriptions/{subscription_id}/cancel
PUT /org/subscribers/{subscriber_id}/overrides/{feature_key}
GET /org/subscribers/{subscriber_id}/overrides
GET /org/subscribers/{subscriber_id}/overrides/{feature_key}
DELETE /org/subscribers/{subscriber_id}/overrides/{feature_key}
GET /org/subscribers/{subscriber_id}/entitlements
POST /org/subscribers/{subscriber_id}/entitlements/check
GET /org/eval-usage
GET /org
PATCH /org
GET /org/members
POST /org/members
GET /org/members/{member_id}
PATCH /org/members/{member_id}
DELETE /org/members/{member_id}
GET /org/invites
POST /org/invites
DELETE /org/invites/{invite_id}
GET /org/service-accounts
POST /org/service-accounts
GET /org/service-accounts/{service_account_id}
PATCH /org/service-accounts/{service_account_id}
DELETE /org/service-accounts/{service_account_id}
GET /org/service-accounts/{service_account_id}/api-keys
POST /org/service-accounts/{service_account_id}/api-keys
DELETE /org/service-accounts/{service_account_id}/api-keys/{key_id}
POST /user/sign-up
POST /user/sign-in
GET /user
PATCH /user
DELETE /user
POST /user/password
GET /user/organizations
POST /user/organizations
POST /user/organizations/join
DELETE /user/organizations/{organization_id}
POST /user/organizations/{organization_id}/sign-in
POST /user/organizations/{organization_id}/sign-out`
  .trim()
  .split('\n')

/** Reads whose input is too large for a query string. Like other reads, they write and record nothing. */
const readsWithBody = ['previewCatalog', 'previewPlanUpdate']

describe('the table of operations', () => {
  it.each(contractRows)('has the row %s', (row) => {
    expect(operations.map(({ method, route }) => `${method} ${route}`)).toContain(row)
  })

  it('has no duplicate rows or names', () => {
    const rows = operations.map(({ method, route }) => `${method} ${route}`)
    expect(new Set(rows).size).toBe(rows.length)
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
  })

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    'gives %s labels that the admin has, and an HTTP method that fits its kind',
    (_name, operation) => {
      const { kind, method } = operation
      const isReadWithBody = kind === 'read' && readsWithBody.includes(operation.name)
      if (['read', 'user_read', 'open_read'].includes(kind)) expect(method).toBe(isReadWithBody ? 'POST' : 'GET')
      if (kind.endsWith('write')) expect(method).not.toBe('GET')
      // Personal actions, and reads that anyone may make, require no role.
      expect('labels' in operation).toBe(/^\/(org|ofrep)\b/.test(operation.route))
      if (!('labels' in operation)) return
      const { labels } = operation
      expect(labels.length).toBeGreaterThan(0)
      for (const label of labels) expect(labelsByRole.admin.has(label)).toBe(true)
      if (kind === 'write' || kind === 'bulk_write')
        expect(labels.every((label) => label.endsWith(':write'))).toBe(true)
    },
  )
})

describe('the GraphQL schema', () => {
  it.each(operationsOfBothApis.map((operation) => [operation.name, operation.kind] as const))(
    'has a field for the operation %s',
    (name, kind) => {
      const parent = ['write', 'bulk_write', 'user_write', 'sign_in', 'issue'].includes(kind)
        ? 'Mutation'
        : (nestedFields[name] ?? 'Query')
      expect(Object.keys(fieldsOf(parent))).toContain(nestedNames[name] ?? name)
    },
  )

  it('begins the description of a root field with the summary of its operation', () => {
    const roots = { ...fieldsOf('Query'), ...fieldsOf('Mutation') }
    for (const { name, summary } of operationsOfBothApis) {
      if (!nestedFields[name])
        expect(roots[nestedNames[name] ?? name]?.description?.slice(0, summary.length)).toBe(summary)
    }
  })

  it('has no root field without an operation', () => {
    const names = [...operationsOfBothApis.map(({ name }) => name), ...fieldsWithoutRow]
    for (const root of ['Query', 'Mutation']) {
      expect(names).toEqual(expect.arrayContaining(Object.keys(fieldsOf(root))))
    }
  })
})
