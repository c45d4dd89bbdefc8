import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLField,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { schema } from '../../src/graphql/schema.ts'
import { printedSchema } from '../../src/tools/print-schema.ts'

const fieldsOfQuery = schema.getQueryType()?.getFields() ?? {}
const fieldsOfMutation = schema.getMutationType()?.getFields() ?? {}
const objectTypes = Object.values(schema.getTypeMap()).filter(
  (type) => isObjectType(type) && !type.name.startsWith('__'),
)

/** Fields that take a number of items, but have no pages. */
const fieldsWithoutPages = ['Query.changes', 'Query.search']

describe('the schema', () => {
  it('equals the file in the repository; after a change, run `npm run schema:print`', () => {
    expect(readFileSync(new URL('../../src/graphql/schema.graphql', import.meta.url), 'utf8')).toBe(printedSchema())
  })

  it('has no root type for subscriptions, even when printed: its type Subscription is a resource of the service', () => {
    expect(schema.getSubscriptionType()).toBeFalsy()
    expect(buildSchema(printedSchema()).getSubscriptionType()).toBeFalsy()
    expect(buildSchema(printedSchema()).getType('Subscription')).toBeDefined()
  })

  it.each(Object.values(fieldsOfMutation).map((field) => [field.name, field] as const))(
    'gives %s at most one argument, an input with its own type',
    (name, { args }) => {
      const input = `input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!`
      expect(args.map((arg) => `${arg.name}: ${arg.type}`)).toEqual(args.length === 0 ? [] : [input])
    },
  )

  it('makes every root field nullable, because each may be refused', () => {
    for (const { name, type } of [...Object.values(fieldsOfQuery), ...Object.values(fieldsOfMutation)]) {
      expect(`${name}: ${isNonNullType(type)}`).toBe(`${name}: false`)
    }
  })

  it('requires labels for every nested field that reads beyond its object, except the listed ones', () => {
    const own = new Set([
      'Plan.grants',
      'Entitlements.entitlements',
      'EvalUsage.days',
      'AuditEvent.actor',
      'AuditEvent.params',
      'CreatedApiKey.apiKey',
      'WebhookWithSecret.webhook',
      'WebhookEvent.attempts',
      'Explanation.items',
      'ExplainedFeature.entitlement',
      'ExplainedFeature.override',
      'ExplainedFeature.planGrant',
      'ExplainedFeature.beneath',
      'HistoryItem.from',
      'HistoryItem.to',
      'PastEntitlement.entitlement',
      'FeatureGrant.grant',
      'CatalogPreview.refusals',
      'EvalUsageByFeature.features',
      'FeatureUsage.days',
      'PlanPreview.subscribers',
      'PlanPreview.changes',
      'PlanPreview.problems',
      'PreviewedChange.from',
      'PreviewedChange.to',
      'PreviewedChange.hiddenByOverride',
      // The field is part of the write's own answer.
      'ImportResult.errors',
      // Each count is null if the caller lacks its label.
      'Counts.features',
      'Counts.plans',
      'Counts.subscribers',
      'Counts.liveOverrides',
      'Counts.members',
      'Counts.serviceAccounts',
      'Counts.pendingInvites',
      // The search finds only the types of objects that the caller may read.
      'Search.hits',
      // These fields have only the name of the acting member.
      'AuditActor.member',
      'Override.setBy',
      'Subscription.createdBy',
      'HistoryItem.by',
      'FieldItem.by',
      // The change is part of the delivery.
      'Delivery.planChange',
      // These are the snapshots that the operation has read.
      'EntitlementsOfMany.snapshots',
      // Everybody may read who they are, and their own log.
      'Viewer.member',
      'Viewer.user',
      'User.organizations',
      'User.sessions',
      'User.auditEvents',
      // Anyone may read this field.
      'Service.oidc',
    ])
    const labeled = objectTypes.flatMap((type) =>
      Object.values(isObjectType(type) ? type.getFields() : {}).flatMap((field) => {
        const coordinates = `${type.name}.${field.name}`
        const isRoot = type.name === 'Query' || type.name === 'Mutation'
        const isOfPage = /(Connection|Edge)$/.test(type.name)
        const reads = isObjectType(getNamedType(field.type))
        return reads && !isRoot && !isOfPage && !own.has(coordinates) ? [[coordinates, labelsOf(field)]] : []
      }),
    )

    expect(Object.fromEntries(labeled)).toStrictEqual({
      'Subscriber.subscriptions': ['subscribers:read'],
      'Subscriber.activeSubscription': ['subscribers:read'],
      'Subscriber.delivery': ['overrides:read'],
      'Subscriber.history': ['overrides:read'],
      'Feature.history': ['features:read'],
      'Plan.history': ['plans:read'],
      'Override.subscriber': ['subscribers:read'],
      'Subscriber.overrides': ['overrides:read'],
      'Subscriber.override': ['overrides:read'],
      'Subscription.plan': ['plans:read'],
      'Plan.subscriberCount': ['subscribers:read'],
      'Feature.overrideCount': ['overrides:read'],
      'Feature.denials': ['overrides:read'],
      'Feature.grants': ['plans:read'],
      'Organization.members': ['members:read'],
      'Organization.serviceAccounts': ['service-accounts:read'],
      'ServiceAccount.apiKeys': ['service-accounts:read'],
    })
  })

  it('describes every type, and has pages only as connections', () => {
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__') || isInputObjectType(type) || /Edge$/.test(type.name)) continue
      expect(`${type.name}: ${type.description ?? ''}`).not.toBe(`${type.name}: `)
      if (!isObjectType(type)) continue
      for (const field of Object.values(type.getFields())) {
        if (fieldsWithoutPages.includes(`${type.name}.${field.name}`)) continue
        const isPage = field.args.some(({ name }) => name === 'first')
        expect(isPage).toBe(/Connection$/.test(getNamedType(field.type).name))
        expect(isPage && isListType(field.type)).toBe(false)
      }
    }
  })
})

function labelsOf({ extensions }: GraphQLField<unknown, unknown>): unknown {
  return (extensions.pothosOptions as { labels?: unknown } | undefined)?.labels
}
