import { type ApiExample, readExample, writeExample } from '../../components/api/api-examples.ts'
import type { SubscriberFilter } from '../../generated/subscribers.ts'
import type { OverrideChoice, OverrideTarget } from './features/override-input.ts'
import type { SubscriberInput } from './subscriber.ts'

/** The API request for the list with the same filters. */
export function listSubscribers(filter: SubscriberFilter | null): ApiExample {
  const { text, planId, withoutPlan, withOverrideOf, withoutOverrideOf } = filter ?? {}
  const query = new URLSearchParams({
    ...(text && { text }),
    ...(planId && { plan_id: planId }),
    ...(withoutPlan && { without_plan: 'true' }),
    ...(withOverrideOf && { with_override_of: withOverrideOf }),
    ...(withoutOverrideOf?.[0] && { without_override_of: withoutOverrideOf[0] }),
  }).toString()
  return readExample(
    `/org/subscribers${query && `?${query}`}`,
    'query Subscribers($filter: SubscriberFilter) { subscribers(filter: $filter) { nodes { subscriberId name } pageInfo { endCursor hasNextPage } } }',
    { filter },
  )
}

export function explainSubscriber(subscriberId: string): ApiExample {
  return readExample(
    '/org/subscribers/{subscriber_id}/explanation',
    'query Why($subscriberId: ID!) { explanation(subscriberId: $subscriberId) { plan items { feature entitlement { allowed limit value source expiresAt } override { note } beneath { allowed limit value source } } } }',
    { subscriberId },
  )
}

/** Unlike the other examples, this request counts as an eval. */
export function checkFeature(subscriberId: string, feature: string): ApiExample {
  return {
    method: 'POST',
    path: `/org/subscribers/${encodeURIComponent(subscriberId)}/entitlements/check`,
    body: { feature },
    graphql: {
      document:
        'query Check($subscriberId: ID!, $feature: ID!) { check(subscriberId: $subscriberId, feature: $feature) { allowed limit value source expiresAt } }',
      variables: { subscriberId, feature },
    },
  }
}

export function createTokenExample(subscriberId: string): ApiExample {
  return writeExample({
    route: 'POST /org/subscribers/{subscriber_id}/tokens',
    mutation: 'createSubscriberToken',
    input: { subscriberId, expiresIn: 900 },
    answer: 'token expiresAt',
  })
}

/** The request that a page of the vendor's product sends with the token. */
export function tokenRequest(origin: string, subscriberId: string): string {
  const url = `${origin}/org/subscribers/${encodeURIComponent(subscriberId)}/entitlements`
  return `const answer = await fetch(${JSON.stringify(url)}, {
  headers: { authorization: 'Bearer ' + token },
})`
}

/** Leaves out fields that are null. */
export function createSubscriberExample(subscriberId: string, fields: SubscriberInput): ApiExample {
  const input = { subscriberId, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) }
  return writeExample({ route: 'POST /org/subscribers', mutation: 'createSubscriber', input, answer: 'subscriberId' })
}

export function updateSubscriberExample(subscriberId: string, changes: SubscriberInput): ApiExample {
  return writeExample({
    route: 'PATCH /org/subscribers/{subscriber_id}',
    mutation: 'updateSubscriber',
    input: { subscriberId, ...changes },
    answer: 'name',
  })
}

export function deleteSubscriberExample(subscriberId: string): ApiExample {
  const route = 'DELETE /org/subscribers/{subscriber_id}'
  return writeExample({ route, mutation: 'deleteSubscriber', input: { subscriberId } })
}

/** `active` is the id of the active subscription, or null. A `planId` of null cancels it. */
export function movePlanExample(subscriberId: string, active: string | null, planId: string | null): ApiExample {
  const subscriptions = 'POST /org/subscribers/{subscriber_id}/subscriptions' as const
  if (planId === null) {
    const route = `${subscriptions}/{subscription_id}/cancel` as const
    const input = { subscriberId, subscriptionId: active ?? '' }
    return writeExample({ route, mutation: 'cancelSubscription', input, answer: 'status' })
  }
  const input = { subscriberId, planId }
  return active
    ? writeExample({ route: `${subscriptions}/change`, mutation: 'changeSubscription', input, answer: 'id planId' })
    : writeExample({ route: subscriptions, mutation: 'createSubscription', input, answer: 'id planId' })
}

export function putOverrideExample({ subscriberId, feature }: OverrideTarget, decision: OverrideChoice): ApiExample {
  const { value, startsAt, expiresAt } = decision
  return writeExample({
    route: 'PUT /org/subscribers/{subscriber_id}/overrides/{feature_key}',
    mutation: 'putOverride',
    input: {
      subscriberId,
      featureKey: feature,
      ...value,
      ...(startsAt && { startsAt }),
      expiresAt,
      note: decision.note || null,
    },
    answer: 'id expiresAt',
  })
}
