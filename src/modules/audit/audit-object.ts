import { z } from 'zod'
import { asScalar, namedEnum } from '../../core/field-type.ts'
import { isStorableText } from '../../core/json.ts'
import { Prisma } from '../../database/generated/client.ts'
import { toParamCondition } from './param-condition.ts'

const objectTypes = {
  feature: 'A feature.',
  plan: 'A plan with its grants.',
  subscriber: 'A subscriber.',
  subscription: "A subscriber's subscription.",
  webhook: 'The webhook of the organization.',
  member: 'A member.',
  invite: 'An invite.',
  service_account: 'A service account.',
  api_key: 'A key of a service account.',
  override: "A subscriber's override.",
}

type AuditObject = { type: keyof typeof objectTypes; id: string; withParts: boolean }

export function auditObjectType() {
  return namedEnum('AuditObjectType', objectTypes, 'The type of the object that was created, changed or deleted.')
}

export function auditObjectId() {
  const schema = z
    .string()
    .refine(isStorableText)
    .describe('the id or key of the object; <subscriber_id>/<feature> for an override; left out for the webhook')
    .meta({ maxLength: 320 })
  return asScalar('ID', schema)
}

/** `hasCreated`: whether an entry created the object with this id. */
type ObjectLogScope = { organizationId: string; hasCreated: (id: string) => Prisma.Sql }

/**
 * The conditions for the entries of an object. Each entry meets at least one of them, and for each condition, an index finds
 * the entries in the order of ids. Does not include the condition that the request changed something.
 */
export function toObjectConditions(
  { type, id, withParts }: AuditObject,
  { organizationId, hasCreated }: ObjectLogScope,
): Prisma.Sql[] {
  const created = hasCreated(id)
  switch (type) {
    case 'feature':
      return [isCreatedOnRoute(created, '/org/features'), isNamedInPath(id, 'key', '/org/features/{key}')]
    case 'plan':
      return [
        isCreatedOnRoute(created, '/org/plans'),
        isNamedInPath(id, 'key', '/org/plans/{key}', '/org/plans/{key}/archive', '/org/plans/{key}/unarchive'),
      ]
    case 'subscriber':
      return [
        isCreatedOnRoute(created, '/org/subscribers'),
        withParts
          ? toParamCondition('subscriber_id', id)
          : isNamedInPath(id, 'subscriber_id', '/org/subscribers/{subscriber_id}', '/org/subscribers/import'),
      ]
    case 'subscription':
      return subscriptionConditions(id, organizationId, created)
    case 'webhook':
      return ['/org/webhook', '/org/webhook/rotate', '/org/webhook/disable', '/org/webhook/enable'].map((route) =>
        hasRoute(route),
      )
    case 'member':
      return memberConditions(id, created)
    case 'invite':
      return [isCreatedOnRoute(created, '/org/invites'), isNamedInPath(id, 'invite_id', '/org/invites/{invite_id}')]
    case 'service_account':
      return [
        isCreatedOnRoute(created, '/org/service-accounts'),
        withParts
          ? toParamCondition('service_account_id', id)
          : isNamedInPath(id, 'service_account_id', '/org/service-accounts/{service_account_id}'),
      ]
    case 'api_key':
      return [
        isCreatedOnRoute(created, '/org/service-accounts/{service_account_id}/api-keys'),
        isNamedInPath(id, 'key_id', '/org/service-accounts/{service_account_id}/api-keys/{key_id}'),
      ]
    case 'override':
      return overrideConditions(id)
  }
}

/**
 * The route `change` cancels a subscription that its path does not name, so the last condition searches all of the subscriber's
 * requests to this route. If the subscription has been deleted, the entry that created it still names the subscriber.
 */
function subscriptionConditions(id: string, organizationId: string, created: Prisma.Sql): Prisma.Sql[] {
  const route = '/org/subscribers/{subscriber_id}/subscriptions'
  const subscriberId = Prisma.sql`coalesce(
    (select subscriber_id collate "default" from subscription
      where organization_id = ${organizationId} and subscription_id = ${id}),
    (select params ->> 'subscriber_id' from audit_event
      where organization_id = ${organizationId} and ${created} limit 1))`
  return [
    isCreatedOnRoute(created, route, `${route}/change`),
    isNamedInPath(id, 'subscription_id', `${route}/{subscription_id}/cancel`),
    // Uses an array, because otherwise the planner would scan all changes instead of looking up those of the subscriber.
    Prisma.sql`audit_event_id = any(array(
      select audit_event_id from audit_event
       where organization_id = ${organizationId} and route = ${`${route}/change`}
         and ${toParamCondition('subscriber_id', subscriberId)}
         and details::jsonb ->> 'canceled_subscription_id' = ${id}))`,
  ]
}

/** Includes entries of people who join or leave, and of changes by their groups when they sign in. */
function memberConditions(id: string, created: Prisma.Sql): Prisma.Sql[] {
  return [
    isCreatedOnRoute(created, '/org/members', '/user/organizations/join'),
    isNamedInPath(id, 'member_id', '/org/members/{member_id}', '/auth/oidc/callback'),
    Prisma.sql`(member_id = ${id} and ${hasRoute('/user/organizations/{organization_id}')})`,
  ]
}

/** The id is `<subscriber_id>/<feature>`. */
function overrideConditions(id: string): Prisma.Sql[] {
  const [subscriberId = '', feature = ''] = id.split('/')
  const ofSubscriber = toParamCondition('subscriber_id', subscriberId)
  return [
    Prisma.sql`(${hasRoute('/org/subscribers/{subscriber_id}/overrides/{feature_key}')} and ${ofSubscriber}
                and ${toParamCondition('feature_key', feature)})`,
    Prisma.sql`(${hasRoute('/org/subscribers/import')} and ${ofSubscriber}
                and jsonb_exists(details::jsonb -> 'overrides', ${feature}))`,
  ]
}

function isCreatedOnRoute(created: Prisma.Sql, ...routes: string[]): Prisma.Sql {
  return Prisma.sql`(${created} and ${hasRoute(...routes)})`
}

function isNamedInPath(id: string, param: string, ...routes: string[]): Prisma.Sql {
  return Prisma.sql`(${toParamCondition(param, id)} and ${hasRoute(...routes)})`
}

function hasRoute(...routes: string[]): Prisma.Sql {
  return Prisma.sql`route in (${Prisma.join(routes)})`
}
