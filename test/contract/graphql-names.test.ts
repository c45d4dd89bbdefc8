import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import type { FieldError } from '../../src/core/errors.ts'
import { type Person, signUp, trustedLoopback } from '../support/person.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { fieldsOf } from './graphql-fields.ts'

/*
 * The paths and messages of a GraphQL refusal use GraphQL's names, whatever is missing, null or of a wrong type, at any depth.
 * Contract: GraphQL 1.
 */

const service = await sharedService(trustedLoopback)
let admin: Caller
let person: Person

beforeAll(async () => {
  admin = await service.organization()
  person = await signUp(service)
})

type Value = { label: string; value: unknown }

const wrongValues: Value[] = [
  { label: 'missing', value: undefined },
  ...[null, 1.5, '', { nope: 1 }, [[1]]].map((value) => ({ label: JSON.stringify(value), value })),
]

function validValue(type: GraphQLInputType): unknown {
  const inner = getNullableType(type)
  if (isListType(inner)) return [validValue(inner.ofType)]
  // The last kind is `CONFIG`, which has the most rules.
  if (isEnumType(inner)) return inner.getValues().at(-1)?.name
  if (isInputObjectType(inner)) return validObject(inner.getFields())
  return inner.name === 'Boolean' ? true : ['Int', 'SafeInt', 'Float'].includes(inner.name) ? 1 : 'nobody'
}

function validObject(fields: Record<string, { type: GraphQLInputType }>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, validValue(type)]))
}

/** Wrong values for the type, and values of the type with one wrong value within. */
function wrongValuesOf(type: GraphQLInputType, depth = 0): Value[] {
  const inner = getNullableType(type)
  if (depth > 4) return wrongValues
  if (isListType(inner)) {
    const items = wrongValuesOf(inner.ofType, depth + 1)
    return [...wrongValues, ...items.map(({ label, value }) => ({ label: `0.${label}`, value: [value] }))]
  }
  if (!isInputObjectType(inner)) return wrongValues
  const fields = Object.entries(inner.getFields())
  return [
    ...wrongValues,
    ...fields.flatMap(([name, field]) =>
      wrongValuesOf(field.type, depth + 1).flatMap(({ label, value }) => [
        { label: `${name}.${label}`, value: { ...validObject(inner.getFields()), [name]: value } },
        ...(depth === 0 ? [{ label: `only ${name}.${label}`, value: { [name]: value } }] : []),
      ]),
    ),
  ]
}

/** The type of the argument or input field at a path; undefined if there is none. */
function typeAt(args: readonly GraphQLArgument[], path: string): GraphQLInputType | undefined {
  const containers = args.flatMap(({ type }) => {
    const inner = getNullableType(type)
    return isInputObjectType(inner) ? Object.values(inner.getFields()) : []
  })
  const [first, ...rest] = path.split('.')
  const start = [...args, ...containers].find(({ name }) => name === first)?.type
  return rest.reduce<GraphQLInputType | undefined>((type, name) => {
    const inner = type && getNullableType(type)
    if (isListType(inner)) return inner.ofType
    return isInputObjectType(inner) ? inner.getFields()[name]?.type : undefined
  }, start)
}

/** REST's words in a detail. The texts in quotation marks are the request's own, except for the example of a grant. */
function findRestWords(args: readonly GraphQLArgument[], { path, message }: FieldError): string[] {
  if (/^Unknown (field|argument) /.test(message)) return []
  const type = typeAt(args, path)
  const named = type && getNamedType(type)
  const values = isEnumType(named)
    ? named.getValues().flatMap(({ name, value }) => (name === value ? [] : [value]))
    : []
  const text = message.replaceAll(/"[^"]*"/g, '')
  const words = text.match(/\w+/g) ?? []
  return [
    ...(path === '' || type ? [] : [`the path ${path}`]),
    ...words.filter((word) => /^[a-z]+_[a-z_]+$/.test(word) || values.includes(word)),
    ...(text.match(/\b(kind|value_?[tT]ype) (flag|limit|config|string|number|boolean|enum|json)\b/g) ?? []),
    ...(message.match(/"kind":"[a-z]+"/g) ?? []),
    ...(text.match(/\b(body|query parameter|starting_after|1 or 0)\b/g) ?? []),
  ]
}

/** Operations whose success would end the session, or take long. */
const excluded = ['changePassword', 'deleteUser', 'signIn', 'signUp']

describe.each(['query', 'mutation'] as const)('the refusals of a GraphQL %s', (kind) => {
  const fields = Object.values(fieldsOf(kind === 'query' ? 'Query' : 'Mutation'))
  const tested = fields.filter(({ name, args }) => args.length > 0 && !excluded.includes(name))

  it.each(tested.map((field) => [field.name, field] as const))("have GraphQL's names: %s", async (_name, field) => {
    const found: string[] = []
    for (const arg of field.args) {
      for (const { label, value } of wrongValuesOf(arg.type)) {
        for (const detail of await detailsOf(kind, field, { arg, value })) {
          const words = findRestWords(field.args, detail)
          if (words.length > 0)
            found.push(`${arg.name} ${label}: ${detail.path}: ${detail.message} (${words.join(', ')})`)
        }
      }
    }

    expect([...new Set(found)]).toEqual([])
  })
})

async function detailsOf(
  kind: 'query' | 'mutation',
  { name, args, type }: GraphQLField<unknown, unknown>,
  { arg, value }: { arg: GraphQLArgument; value: unknown },
): Promise<FieldError[]> {
  const sent = args.filter((each) => each === arg || isRequiredArgument(each))
  const parameters = sent.map((each) => `$${each.name}: ${each.type}`).join(', ')
  const values = sent.map((each) => `${each.name}: $${each.name}`).join(', ')
  const shown = isObjectType(getNamedType(type)) ? ' { __typename }' : ''
  const document = `${kind} (${parameters}) { ${name}(${values})${shown} }`
  const variables = Object.fromEntries(sent.map((each) => [each.name, each === arg ? value : validValue(each.type)]))

  const asAdmin = (await admin.graphql(document, variables)).body.errors ?? []
  const isPersonal = asAdmin.some(({ extensions }: GraphqlError) => extensions.code === 'UNAUTHORIZED')
  const errors: GraphqlError[] = isPersonal ? ((await person.graphql(document, variables)).body.errors ?? []) : asAdmin
  for (const { extensions } of errors) expect(extensions.status, document).toBeLessThan(500)
  return errors.flatMap(({ extensions }) =>
    extensions.code === 'VALIDATION_ERROR' ? (extensions.details?.fields ?? []) : [],
  )
}

type GraphqlError = { extensions: { code: string; status: number; details: { fields?: FieldError[] } | null } }

describe('the refusals of the lines of an import', () => {
  it("have GraphQL's names, and the keys of features stay unchanged", async () => {
    await vendor(admin).feature('expires_at')
    const line = `{
      subscriberId: "a", overrides: [{ feature: "expires_at", kind: LIMIT, limit: 1, expiresAt: "2020" }]
    }`
    const document = `mutation { importSubscribers(input: { lines: [{ subscriberId: "a b" }, ${line}] }) {
      errors { message details }
    } }`

    const { body } = await admin.graphql(document)

    const fields = body.data.importSubscribers.errors.flatMap(({ message, details }: ImportError) => {
      expect(message).toBe(details.fields[0]?.message)
      return details.fields
    })
    expect(fields).toEqual([
      { path: 'subscriberId', message: expect.stringMatching(/^subscriberId must be /) },
      { path: 'overrides.expires_at.expiresAt', message: expect.stringMatching(/^expiresAt must be /) },
    ])
  })
})

describe('the messages of refusals other than 422', () => {
  const isLive = 'An override of feature "sso" is live. Delete it first, or leave out startsAt to replace it now.'
  const override = 'kind: FLAG, allowed: false, startsAt: "2099-01-01T00:00:00Z"'

  beforeAll(async () => {
    const setup = vendor(admin)
    await setup.feature('sso')
    await setup.plan('starts_at')
    await setup.subscriber('acme')
    await setup.subscribe('acme', 'starts_at')
    await admin.rest('PUT', '/org/subscribers/acme/overrides/sso', { kind: 'flag', allowed: true })
  })

  it.each([
    ['{ webhook { url } }', 'No webhook is configured here. putWebhook with a url creates one.'],
    [
      'mutation { deletePlan(input: { key: "starts_at" }) }',
      'Plan "starts_at" has subscriptions, current or past. Archive it instead: archivePlan.',
    ],
    [`mutation { putOverride(input: { subscriberId: "acme", featureKey: "sso", ${override} }) { id } }`, isLive],
  ])("have GraphQL's names: %s", async (document, message) => {
    const { body } = await admin.graphql(document)

    expect(body.errors[0].message).toBe(message)
  })

  it("have GraphQL's names in an import", async () => {
    const { body } = await admin.graphql(`mutation {
      importSubscribers(input: { lines: [{ subscriberId: "acme", overrides: [{ feature: "sso", ${override} }] }] }) {
        errors { message details }
      }
    }`)

    expect(body.data.importSubscribers.errors).toEqual([
      { message: isLive, details: { field: 'starts_at', value: null } },
    ])
  })
})

describe('the problems of a previewed plan', () => {
  it("have GraphQL's names", async () => {
    await vendor(admin).feature('export')
    await vendor(admin).plan('pro')

    const { body } = await admin.graphql(`{
      previewPlanUpdate(input: { key: "pro", grants: [{ feature: "export", kind: LIMIT, limit: 1 }] }) {
        problems { path message }
      }
    }`)

    expect(body.data.previewPlanUpdate.problems).toEqual([
      { path: 'grants.export.kind', message: 'grants.export.kind must be FLAG, the kind of the feature.' },
    ])
  })
})

type ImportError = { message: string; details: { fields: FieldError[] } }
