import { z } from 'zod'
import { asScalar, namedEnum } from '../../core/field-type.ts'
import { isStorableText } from '../../core/json.ts'
import { Prisma } from '../../database/generated/client.ts'
import { toParamCondition } from './param-condition.ts'

const objectTypes = [
  'feature',
  'plan',
  'subscriber',
  'subscription',
  'webhook',
  'member',
  'invite',
  'service_account',
  'api_key',
  'override',
] as const

export type AuditObject = { type: (typeof objectTypes)[number]; id: string }

export function auditObjectType() {
  return namedEnum('AuditObjectType', objectTypes, 'What was made, changed or removed.')
}

export function auditObjectId() {
  const schema = z
    .string()
    .refine(isStorableText)
    .describe('the id or key of the object, of an override <subscriber_id>/<feature>; none for the webhook')
    .meta({ maxLength: 320 })
  return asScalar('ID', schema)
}

/** What the entries of an object have in common. Whether a request changed something is another condition. */
export function toObjectCondition({ type, id }: AuditObject): Prisma.Sql {
  switch (type) {
    case 'feature':
      return anyOf(made(id, '/org/features'), at(id, 'key', '/org/features/{key}'))
    case 'plan':
      return anyOf(
        made(id, '/org/plans'),
        at(id, 'key', '/org/plans/{key}', '/org/plans/{key}/archive', '/org/plans/{key}/unarchive'),
      )
    case 'subscriber':
      return anyOf(
        made(id, '/org/subscribers'),
        at(id, 'subscriber_id', '/org/subscribers/{subscriber_id}', '/org/subscribers/import'),
      )
    case 'subscription':
      return ofSubscription(id)
    case 'webhook':
      return onRoute('/org/webhook', '/org/webhook/rotate', '/org/webhook/disable', '/org/webhook/enable')
    case 'member':
      return ofMember(id)
    case 'invite':
      return anyOf(made(id, '/org/invites'), at(id, 'invite_id', '/org/invites/{invite_id}'))
    case 'service_account':
      return anyOf(
        made(id, '/org/service-accounts'),
        at(id, 'service_account_id', '/org/service-accounts/{service_account_id}'),
      )
    case 'api_key':
      return anyOf(
        made(id, '/org/service-accounts/{service_account_id}/api-keys'),
        at(id, 'key_id', '/org/service-accounts/{service_account_id}/api-keys/{key_id}'),
      )
    case 'override':
      return ofOverride(id)
  }
}

/** A change cancels a subscription that its path does not name. */
function ofSubscription(id: string): Prisma.Sql {
  const route = '/org/subscribers/{subscriber_id}/subscriptions'
  return anyOf(
    made(id, route, `${route}/change`),
    at(id, 'subscription_id', `${route}/{subscription_id}/cancel`),
    Prisma.sql`(route = ${`${route}/change`} and details::jsonb ->> 'canceled_subscription_id' = ${id})`,
  )
}

/** People also join and leave by themselves. */
function ofMember(id: string): Prisma.Sql {
  return anyOf(
    made(id, '/org/members', '/user/organizations/join'),
    at(id, 'member_id', '/org/members/{member_id}'),
    Prisma.sql`(member_id = ${id} and ${onRoute('/user/organizations/{organization_id}')})`,
  )
}

/** Named `<subscriber_id>/<feature>`. */
function ofOverride(id: string): Prisma.Sql {
  const [subscriberId = '', feature = ''] = id.split('/')
  const ofSubscriber = toParamCondition('subscriber_id', subscriberId)
  return anyOf(
    Prisma.sql`(${onRoute('/org/subscribers/{subscriber_id}/overrides/{feature_key}')} and ${ofSubscriber}
                and ${toParamCondition('feature_key', feature)})`,
    Prisma.sql`(${onRoute('/org/subscribers/import')} and ${ofSubscriber}
                and jsonb_exists(details::jsonb -> 'overrides', ${feature}))`,
  )
}

function made(id: string, ...routes: string[]): Prisma.Sql {
  return Prisma.sql`(created_id = ${id} and ${onRoute(...routes)})`
}

function at(id: string, param: string, ...routes: string[]): Prisma.Sql {
  return Prisma.sql`(${toParamCondition(param, id)} and ${onRoute(...routes)})`
}

function onRoute(...routes: string[]): Prisma.Sql {
  return Prisma.sql`route in (${Prisma.join(routes)})`
}

function anyOf(...conditions: Prisma.Sql[]): Prisma.Sql {
  return Prisma.sql`(${Prisma.join(conditions, ' or ')})`
}
