import type { ApiExample } from '../../components/api/api-examples.ts'
import type { SubscriberFilter } from '../../generated/subscribers.ts'

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
