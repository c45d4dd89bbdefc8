import { type ApiExample, pathOf, writeExample } from '../../components/api/api-examples.ts'
import type { SubscriberFilter } from '../../generated/subscribers.ts'
import type { Decision, Place } from './features/override-input.ts'

/** The list as it is filtered. */
export function listSubscribers(filter: SubscriberFilter | null): ApiExample {
  const { search, planId, withoutPlan } = filter ?? {}
  const query = new URLSearchParams({
    ...(search && { search }),
    ...(planId && { plan_id: planId }),
    ...(withoutPlan && { without_plan: 'true' }),
  }).toString()
  return {
    method: 'GET',
    path: `/org/subscribers${query && `?${query}`}`,
    graphql: {
      document:
        'query Subscribers($filter: SubscriberFilter) { subscribers(filter: $filter) { nodes { subscriberId name } pageInfo { endCursor hasNextPage } } }',
      variables: { filter },
    },
  }
}

export function explainSubscriber(subscriberId: string): ApiExample {
  return {
    method: 'GET',
    path: `/org/subscribers/${encodeURIComponent(subscriberId)}/explanation`,
    graphql: {
      document:
        'query Why($subscriberId: ID!) { explanation(subscriberId: $subscriberId) { plan items { feature entitlement { allowed limit value source expiresAt } override { note } beneath { allowed limit value source } } } }',
      variables: { subscriberId },
    },
  }
}

/** The one eval. */
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

export function createSubscriberExample(subscriberId: string, name: string): ApiExample {
  const named = name && { name }
  return writeExample({
    method: 'POST',
    path: '/org/subscribers',
    body: { subscriber_id: subscriberId, ...named },
    mutation: 'createSubscriber',
    input: { subscriberId, ...named },
    answer: 'subscriberId',
  })
}

export function renameSubscriberExample(subscriberId: string, name: string): ApiExample {
  const body = { name: name || null }
  return writeExample({
    method: 'PATCH',
    path: pathOf('/org/subscribers/{subscriber_id}', subscriberId),
    body,
    mutation: 'updateSubscriber',
    input: { subscriberId, ...body },
    answer: 'name',
  })
}

export function deleteSubscriberExample(subscriberId: string): ApiExample {
  return writeExample({
    method: 'DELETE',
    path: pathOf('/org/subscribers/{subscriber_id}', subscriberId),
    mutation: 'deleteSubscriber',
    input: { subscriberId },
  })
}

/** `active` is the id of the active subscription, or null. A `planId` of null cancels it. */
export function movePlanExample(subscriberId: string, active: string | null, planId: string | null): ApiExample {
  const subscriptions = pathOf('/org/subscribers/{subscriber_id}/subscriptions', subscriberId)
  if (planId === null) {
    const input = { subscriberId, subscriptionId: active ?? '' }
    const path = pathOf(`${subscriptions}/{subscription_id}/cancel`, input.subscriptionId)
    return writeExample({ method: 'POST', path, mutation: 'cancelSubscription', input, answer: 'status' })
  }
  const [path, mutation] = active
    ? [`${subscriptions}/change`, 'changeSubscription']
    : [subscriptions, 'createSubscription']
  const input = { subscriberId, planId }
  return writeExample({ method: 'POST', path, body: { plan_id: planId }, mutation, input, answer: 'id planId' })
}

export function putOverrideExample({ subscriberId, feature }: Place, decision: Decision): ApiExample {
  const { value, expiresAt } = decision
  const { kind, ...given } = value
  const note = decision.note || null
  return writeExample({
    method: 'PUT',
    path: pathOf('/org/subscribers/{subscriber_id}/overrides/{feature_key}', subscriberId, feature),
    body: { kind: kind.toLowerCase(), ...given, expires_at: expiresAt, note },
    mutation: 'putOverride',
    input: { subscriberId, featureKey: feature, ...value, expiresAt, note },
    answer: 'id expiresAt',
  })
}
