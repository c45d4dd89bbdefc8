import { type GraphQLInputType, getNamedType, isEnumType, isInputObjectType, isLeafType, isNonNullType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { labelsByRole } from '../../src/access/roles.ts'
import { newId } from '../../src/core/ids.ts'
import type { Role } from '../../src/database/generated/enums.ts'
import { schema } from '../../src/graphql/schema.ts'
import type { AnyOperation, MemberOperation, UserOperation } from '../../src/operation/operation.ts'
import { exampleBody } from '../support/example-body.ts'
import { addMember, Browser, newAddress, type Person, signUp, trustedLoopback } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Answer, type Caller, send, sharedService } from '../support/service.ts'
import { nestedFields, nestedNames } from './graphql-fields.ts'

const service = await sharedService(trustedLoopback)
const operations = restRoutes.map(({ operation }): AnyOperation => operation)
const memberOperations = operations.filter((operation): operation is MemberOperation => 'labels' in operation)
const userOperations = operations.filter(
  (operation): operation is UserOperation => !('labels' in operation) && operation.kind !== 'open_read',
)
const roles = Object.keys(labelsByRole) as Role[]

/** Another organization, with one object of each kind; the paths of all requests name these objects. */
const otherAdmin = await service.organization()
const otherObjects = await createObjects(otherAdmin)

async function createObjects(admin: Caller): Promise<Record<string, string>> {
  const make = async (path: string, body: object) => {
    const answer = await admin.rest('POST', path, body)
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}`)
    return answer.body
  }
  const suffix = newId().toLowerCase()
  const [feature, plan, subscriber] = [`f-${suffix}`, `p-${suffix}`, `s-${suffix}`]
  await make('/org/features', { key: feature, name: 'F', kind: 'flag' })
  await make('/org/plans', { key: plan, name: 'P' })
  await make('/org/subscribers', { subscriber_id: subscriber })
  const subscription = await make(`/org/subscribers/${subscriber}/subscriptions`, { plan_id: plan })
  await admin.rest('PUT', `/org/subscribers/${subscriber}/overrides/${feature}`, { kind: 'flag', allowed: true })
  const invite = await make('/org/invites', { role: 'viewer' })
  const account = await make('/org/service-accounts', { name: 'CI', role: 'viewer' })
  const key = await make(`/org/service-accounts/${account.service_account_id}/api-keys`, { name: 'k' })
  return {
    features: feature,
    flags: feature,
    plans: plan,
    subscriber_id: subscriber,
    subscription_id: subscription.id,
    feature_key: feature,
    member_id: account.member_id,
    invite_id: invite.invite_id,
    service_account_id: account.service_account_id,
    key_id: key.key_id,
    event_id: newId(),
    id: newId(),
    organization_id: admin.organizationId,
  }
}

/** Fills in the ids. `{key}` is the key of a feature (a flag) or of a plan, as the segment before it says. */
function pathFor(route: string): string {
  return route.replaceAll(
    /(\w+)\/\{(\w+)\}/g,
    (_, noun: string, name: string) => `${noun}/${otherObjects[name] ?? otherObjects[noun]}`,
  )
}

/** Bodies by operation, if they must name objects of the other organization; other operations use the examples' bodies. */
const bodies: Record<string, object> = {
  createSubscription: { plan_id: otherObjects.plans },
  changeSubscription: { plan_id: otherObjects.plans },
  putOverride: { kind: 'flag', allowed: true },
  check: { feature: otherObjects.features },
  evaluateFlag: { context: { targetingKey: otherObjects.subscriber_id } },
  evaluateFlags: { context: { targetingKey: otherObjects.subscriber_id } },
}

function bodyFor(operation: AnyOperation): unknown {
  const { name, method } = operation
  return bodies[name] ?? ('labels' in operation ? exampleBody(operation) : method === 'GET' ? undefined : {})
}

function sendRest(
  operation: AnyOperation,
  headers: Record<string, string>,
  body: unknown = bodyFor(operation),
): Promise<Answer> {
  const { method, route } = operation
  return send(service.url + pathFor(route), method, body, { ...newAddress(), ...headers })
}

const isAllowed = (role: Role, { labels }: MemberOperation) => labels.some((label) => labelsByRole[role].has(label))
const isRecorded = (operation: MemberOperation) =>
  operation.kind === 'write' ||
  operation.kind === 'bulk_write' ||
  (operation.kind === 'read' && operation.recorded === true)

async function rejectedIn(organizationId: string): Promise<string[]> {
  const { rows } = await service.database.pool.query(
    `select method || ' ' || route as row from audit_event
      where organization_id = $1 and outcome = 'rejected' and status = 403 order by audit_event_id`,
    [organizationId],
  )
  return rows.map(({ row }) => row)
}

describe.each(roles)('the key of role %s', (role) => {
  it("may do exactly what its role's labels allow, and only in its own organization", async () => {
    const caller = await service.organization(role)
    const refused: string[] = []

    for (const operation of memberOperations) {
      const { method, route, labels } = operation
      const what = `${method} ${route}`
      // A caller who may not write is refused before the body is read.
      const body = isAllowed(role, operation) || method === 'GET' ? undefined : '{"broken'
      const answer = await sendRest(operation, { 'x-api-key': caller.key }, body)

      if (!isAllowed(role, operation)) {
        expect([what, answer.status]).toEqual([what, 403])
        expectRefusal(answer, 'FORBIDDEN', { required_labels: labels })
        for (const label of labels) expect(answer.body.error.message).not.toContain(label)
        if (isRecorded(operation)) refused.push(what)
      } else if (route.startsWith('/ofrep')) {
        expect([what, answer.status, answer.body.errorCode]).toEqual([what, 400, 'INVALID_CONTEXT'])
      } else if (route.includes('{')) {
        expect([what, answer.status]).toEqual([what, 404])
      } else {
        expect([what, [200, 201, 204, 404, 409, 422].includes(answer.status)]).toEqual([what, true])
        expect(JSON.stringify(answer.body ?? null)).not.toContain(otherAdmin.organizationId)
      }
    }
    expect(await rejectedIn(caller.organizationId)).toEqual(refused)
  })

  it('is not accepted for personal actions', async () => {
    const caller = await service.organization(role)

    for (const operation of userOperations) {
      const answer = await sendRest(operation, { 'x-api-key': caller.key })
      const isOpen = operation.kind === 'sign_in'
      expect([operation.name, answer.status]).toEqual([operation.name, isOpen ? 422 : 401])
    }
  })
})

describe('without credentials', () => {
  it('every operation is 401 in both APIs, except sign-up, sign-in and reads that everybody may make', async () => {
    for (const operation of operations) {
      const answer = await sendRest(operation, {})
      const isOpen = operation.kind === 'sign_in'
      const expected = operation.kind === 'open_read' ? 200 : isOpen ? 422 : 401
      expect([operation.name, answer.status]).toEqual([operation.name, expected])

      const request = toGraphqlRequest(operation)
      if (!request || expected !== 401) continue
      const { body } = await send(`${service.url}/graphql`, 'POST', request, newAddress())
      expect([operation.name, codeOf(body)]).toEqual([operation.name, 'UNAUTHORIZED'])
    }
  })
})

describe('the personal sign-in', () => {
  it('is not accepted for the operations of an organization, even if the person is its admin', async () => {
    const person = await signUp(service)
    const { body: mine } = await person.rest('POST', '/user/organizations', { name: 'Mine' })
    const browser = new Browser(service)
    await browser.signIn(person)

    for (const operation of memberOperations) {
      const answer = await sendRest(operation, { authorization: `Bearer ${person.token}` })
      expect([operation.name, answer.status]).toEqual([operation.name, 401])
      const request = toGraphqlRequest(operation)
      if (!request) continue
      const { body } = await browser.graphql(request.query, request.variables, { organizationId: mine.organization_id })
      expect([operation.name, codeOf(body)]).toEqual([operation.name, 'UNAUTHORIZED'])
    }
  })

  it('is accepted for personal actions, but not for those in organizations of other people', async () => {
    for (const operation of userOperations) {
      const person = await signUp(service)
      const answer = await sendRest(operation, { authorization: `Bearer ${person.token}` })
      const expected = operation.route.includes('{') ? [404] : [200, 201, 204, 422]
      expect([operation.name, expected.includes(answer.status)]).toEqual([operation.name, true])
    }
  })
})

describe.each(roles)('the console session of role %s', (role) => {
  it("may do exactly what its role's labels allow, except for operations that only keys may call", async () => {
    const { browser, organizationId } = await openConsoleAs(role)
    const refused: string[] = []

    for (const operation of memberOperations) {
      const request = toGraphqlRequest(operation)
      if (!request) continue
      const { body } = await browser.graphql(request.query, request.variables, { organizationId })
      const what = `${operation.method} ${operation.route}`
      const code = codeOf(body)

      // Only keys create tokens, because a token ends with its key; and only products read many snapshots at once.
      if (operation.kind === 'issue' || operation.kind === 'bulk_eval') {
        expect([what, code]).toEqual([what, 'UNAUTHORIZED'])
        continue
      }
      expect([what, code === 'FORBIDDEN']).toEqual([what, !isAllowed(role, operation)])
      expect(code).not.toBe('UNAUTHORIZED')
      if (code === 'FORBIDDEN') {
        expect(body.errors[0].extensions.details).toEqual({ required_labels: operation.labels })
        if (isRecorded(operation)) refused.push(what)
      } else if (operation.route.includes('{')) {
        expect([what, code]).toEqual([what, 'NOT_FOUND'])
      }
    }
    expect(await rejectedIn(organizationId)).toEqual(refused)
  })

  it('is not accepted for another organization, or for personal actions', async () => {
    const { browser } = await openConsoleAs(role)
    const other = new Browser(service)
    for (const [name, value] of browser.cookies) if (name !== 'ent_user') other.cookies.set(name, value)

    const elsewhere = await other.graphql(
      '{ organization { name } }',
      {},
      { organizationId: otherAdmin.organizationId },
    )
    const personal = await other.graphql('{ user { userId } }')

    expect(codeOf(elsewhere.body)).toBe('UNAUTHORIZED')
    expect(codeOf(personal.body)).toBe('UNAUTHORIZED')
  })
})

describe.each(roles)('nested fields for the role %s', (role) => {
  it.each([
    ['organization { members { nodes { memberId } } }', 'members:read'],
    ['organization { serviceAccounts { nodes { serviceAccountId } } }', 'service-accounts:read'],
    ['serviceAccounts { nodes { apiKeys { nodes { keyId } } } }', 'service-accounts:read'],
  ] as const)('%s requires the label of the objects that it returns', async (field, label) => {
    const caller = await service.organization(role)

    const { body } = await caller.graphql(`{ ${field} }`)

    expect(codeOf(body)).toBe(labelsByRole[role].has(label) ? null : 'FORBIDDEN')
  })
})

async function openConsoleAs(role: Role) {
  const admin = await service.organization()
  const person: Person = await signUp(service)
  await addMember(admin, person, role)
  const browser = new Browser(service)
  await browser.signIn(person)
  await browser.enter(admin.organizationId)
  return { browser, organizationId: admin.organizationId }
}

// biome-ignore lint/suspicious/noExplicitAny: the body of any answer.
function codeOf(body: any): string | null {
  return body.errors?.[0].extensions.code ?? null
}

/** The root field of the operation with all required arguments; null if the operation is a field of another object. */
function toGraphqlRequest({ name: operation, route }: AnyOperation): { query: string; variables: object } | null {
  if (nestedFields[operation]) return null
  const name = nestedNames[operation] ?? operation
  const [kind, type] = schema.getQueryType()?.getFields()[name]
    ? (['query', schema.getQueryType()] as const)
    : (['mutation', schema.getMutationType()] as const)
  const field = type?.getFields()[name]
  if (!field) return null
  const required = field.args.filter(({ type: argument }) => isNonNullType(argument))
  const declared = required.map((argument) => `$${argument.name}: ${argument.type}`).join(', ')
  const passed = required.map((argument) => `${argument.name}: $${argument.name}`).join(', ')
  const variables = Object.fromEntries(
    required.map((argument) => [argument.name, sample(argument.name, argument.type, route)]),
  )
  const selection = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }'
  return {
    query: `${kind}${declared && `(${declared})`} { ${name}${passed && `(${passed})`}${selection} }`,
    variables,
  }
}

/** Creates a value of the type. Ids in it are those of the other organization's objects. */
function sample(name: string, type: GraphQLInputType, route: string): unknown {
  const named = getNamedType(type)
  if (isInputObjectType(named)) {
    const fields = Object.values(named.getFields()).filter(
      // `allowed` is nullable because only the override of a flag requires it.
      (field) => isNonNullType(field.type) || field.name === 'allowed',
    )
    return Object.fromEntries(fields.map((field) => [field.name, sample(field.name, field.type, route)]))
  }
  if (named.name === 'Boolean') return true
  if (isEnumType(named)) return (named.getValue('FLAG') ?? named.getValues()[0])?.name
  const specName = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  if (name === 'key') return otherObjects[/\/(\w+)\/\{key\}/.exec(route)?.[1] ?? ''] ?? 'a-key'
  if (name === 'feature') return otherObjects.features
  if (name === 'url') return 'https://example.org/a'
  return route.includes(`{${specName}}`) ? otherObjects[specName] : 'own'
}
