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
type LogOfObject = { organizationId: string; hasCreated: (id: string) => Prisma.Sql }

/**
 * The conditions for the entries of an object. Each entry meets at least one of them, and for each condition, an index finds
 * the entries in the order of ids. Does not include the condition that the request changed something.
 */
export function toObjectConditions(
  { type, id, withParts }: AuditObject,
  { organizationId, hasCreated }: LogOfObject,
): Prisma.Sql[] {
  const created = hasCreated(id)
  switch (type) {
    case 'feature':
      return [createdOn(created, '/org/features'), namedInPath(id, 'key', '/org/features/{key}')]
    case 'plan':
      return [
        createdOn(created, '/org/plans'),
        namedInPath(id, 'key', '/org/plans/{key}', '/org/plans/{key}/archive', '/org/plans/{key}/unarchive'),
      ]
    case 'subscriber':
      return [
        createdOn(created, '/org/subscribers'),
        withParts
          ? toParamCondition('subscriber_id', id)
          : namedInPath(id, 'subscriber_id', '/org/subscribers/{subscriber_id}', '/org/subscribers/import'),
      ]
    case 'subscription':
      return ofSubscription(id, organizationId, created)
    case 'webhook':
      return ['/org/webhook', '/org/webhook/rotate', '/org/webhook/disable', '/org/webhook/enable'].map((route) =>
        onRoute(route),
      )
    case 'member':
      return ofMember(id, created)
    case 'invite':
      return [createdOn(created, '/org/invites'), namedInPath(id, 'invite_id', '/org/invites/{invite_id}')]
    case 'service_account':
      return [
        createdOn(created, '/org/service-accounts'),
        withParts
          ? toParamCondition('service_account_id', id)
          : namedInPath(id, 'service_account_id', '/org/service-accounts/{service_account_id}'),
      ]
    case 'api_key':
      return [
        createdOn(created, '/org/service-accounts/{service_account_id}/api-keys'),
        namedInPath(id, 'key_id', '/org/service-accounts/{service_account_id}/api-keys/{key_id}'),
      ]
    case 'override':
      return ofOverride(id)
  }
}

/**
 * The route `change` cancels a subscription that its path does not name, so the last condition searches all of the subscriber's
 * requests to this route. If the subscription has been deleted, the entry that created it still names the subscriber.
 */
function ofSubscription(id: string, organizationId: string, created: Prisma.Sql): Prisma.Sql[] {
  const route = '/org/subscribers/{subscriber_id}/subscriptions'
  const subscriberId = Prisma.sql`coalesce(
    (select subscriber_id collate "default" from subscription
      where organization_id = ${organizationId} and subscription_id = ${id}),
    (select params ->> 'subscriber_id' from audit_event
      where organization_id = ${organizationId} and ${created} limit 1))`
  return [
    createdOn(created, route, `${route}/change`),
    namedInPath(id, 'subscription_id', `${route}/{subscription_id}/cancel`),
    // Uses an array, because otherwise the planner would scan all changes instead of looking up those of the subscriber.
    Prisma.sql`audit_event_id = any(array(
      select audit_event_id from audit_event
       where organization_id = ${organizationId} and route = ${`${route}/change`}
         and ${toParamCondition('subscriber_id', subscriberId)}
         and details::jsonb ->> 'canceled_subscription_id' = ${id}))`,
  ]
}

/** Includes entries of people who join or leave, and of changes by their groups when they sign in. */
function ofMember(id: string, created: Prisma.Sql): Prisma.Sql[] {
  return [
    createdOn(created, '/org/members', '/user/organizations/join'),
    namedInPath(id, 'member_id', '/org/members/{member_id}', '/auth/oidc/callback'),
    Prisma.sql`(member_id = ${id} and ${onRoute('/user/organizations/{organization_id}')})`,
  ]
}

/** The id is `<subscriber_id>/<feature>`. */
function ofOverride(id: string): Prisma.Sql[] {
  const [subscriberId = '', feature = ''] = id.split('/')
  const ofSubscriber = toParamCondition('subscriber_id', subscriberId)
  return [
    Prisma.sql`(${onRoute('/org/subscribers/{subscriber_id}/overrides/{feature_key}')} and ${ofSubscriber}
                and ${toParamCondition('feature_key', feature)})`,
    Prisma.sql`(${onRoute('/org/subscribers/import')} and ${ofSubscriber}
                and jsonb_exists(details::jsonb -> 'overrides', ${feature}))`,
  ]
}

function createdOn(created: Prisma.Sql, ...routes: string[]): Prisma.Sql {
  return Prisma.sql`(${created} and ${onRoute(...routes)})`
}

function namedInPath(id: string, param: string, ...routes: string[]): Prisma.Sql {
  return Prisma.sql`(${toParamCondition(param, id)} and ${onRoute(...routes)})`
}

function onRoute(...routes: string[]): Prisma.Sql {
  return Prisma.sql`route in (${Prisma.join(routes)})`
}
