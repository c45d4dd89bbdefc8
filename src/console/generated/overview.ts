// Made from pages/overview/overview.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type FeatureKind =
  | 'CONFIG'
  | 'FLAG'
  | 'LIMIT';

export type OverviewCountsQueryVariables = Exact<{ [key: string]: never; }>;


export type OverviewCountsQuery = { counts: { features: { value: number } | null, plans: { value: number } | null, subscribers: { value: number } | null, pendingInvites: { value: number, isExact: boolean } | null } | null };

export type EvalUsageQueryVariables = Exact<{
  previous: string;
}>;


export type EvalUsageQuery = { evalUsage: { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> } | null, previous: { used: number, days: Array<{ date: string, used: number }> } | null };

export type OverviewWebhookQueryVariables = Exact<{ [key: string]: never; }>;


export type OverviewWebhookQuery = { webhook: { url: string, disabled: boolean, disabledAt: string | null, disabledByFailures: boolean, exhaustedInARow: number, failuresToPause: number } | null };

export type DeliveryHealthQueryVariables = Exact<{
  occurredBefore: string;
}>;


export type DeliveryHealthQuery = { webhookEventCounts: { queued: number, retrying: number, failed: number } | null, delivered: { nodes: Array<{ finishedAt: string | null }> } | null, failed: { nodes: Array<{ type: string, finishedAt: string | null }> } | null, waiting: { nodes: Array<{ dueAt: string | null }> } | null };

export type ExpiringOverridesQueryVariables = Exact<{
  expiresBefore: string;
  after?: string | null | undefined;
}>;


export type ExpiringOverridesQuery = { overrides: { nodes: Array<{ id: string, subscriberId: string, feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, expiresAt: string | null, note: string | null, subscriber: { name: string | null } | null, setBy: { displayName: string } | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type FirstStepsQueryVariables = Exact<{ [key: string]: never; }>;


export type FirstStepsQuery = { features: Array<{ key: string, name: string, kind: FeatureKind }> | null, plans: Array<{ key: string, name: string, updatedAt: string, grants: Array<{ feature: string, kind: FeatureKind, limit: number | null, value: unknown }> }> | null, subscribers: { nodes: Array<{ subscriberId: string, activeSubscription: { planId: string } | null }> } | null, subscribed: { nodes: Array<{ subscriberId: string, activeSubscription: { planId: string } | null }> } | null, serviceAccounts: { nodes: Array<{ apiKeys: { nodes: Array<{ keyId: string }> } | null }> } | null };

export type SubscribedToFragment = { subscriberId: string, activeSubscription: { planId: string } | null };

export type FirstAnswersQueryVariables = Exact<{
  subscriberId: string;
}>;


export type FirstAnswersQuery = { explanation: { items: Array<{ feature: string, entitlement: { allowed: boolean } }> } | null };

export type EvalMonthsQueryVariables = Exact<{
  month1: string;
  month2: string;
  month3: string;
  month4: string;
  month5: string;
  month6: string;
  month7: string;
  month8: string;
  month9: string;
  month10: string;
  month11: string;
}>;


export type EvalMonthsQuery = { month0: { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> } | null, month1: { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> } | null, month2: { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> } | null, month3: { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> } | null, month4: { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> } | null, month5: { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> } | null, month6: { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> } | null, month7: { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> } | null, month8: { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> } | null, month9: { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> } | null, month10: { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> } | null, month11: { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> } | null };

export type UsageOfMonthFragment = { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> };

export type UnusedKeysQueryVariables = Exact<{
  unusedSince: string;
}>;


export type UnusedKeysQuery = { serviceAccounts: { nodes: Array<{ serviceAccountId: string, name: string }>, pageInfo: { hasNextPage: boolean } } | null };

export type AskedFeaturesQueryVariables = Exact<{ [key: string]: never; }>;


export type AskedFeaturesQuery = { evalUsageByFeature: { features: Array<{ feature: string, granted: number, denied: number }> } | null, features: Array<{ key: string, name: string }> | null };

export const OverviewCountsDocument = new TypedDocument<OverviewCountsQuery, OverviewCountsQueryVariables>('OverviewCounts', `query OverviewCounts {
  counts {
    features {
      value
    }
    plans {
      value
    }
    subscribers {
      value
    }
    pendingInvites {
      value
      isExact
    }
  }
}`)

export const EvalUsageDocument = new TypedDocument<EvalUsageQuery, EvalUsageQueryVariables>('EvalUsage', `query EvalUsage($previous: String!) {
  evalUsage {
    month
    used
    allotment
    days {
      date
      used
    }
  }
  previous: evalUsage(month: $previous) {
    used
    days {
      date
      used
    }
  }
}`)

export const OverviewWebhookDocument = new TypedDocument<OverviewWebhookQuery, OverviewWebhookQueryVariables>('OverviewWebhook', `query OverviewWebhook {
  webhook {
    url
    disabled
    disabledAt
    disabledByFailures
    exhaustedInARow
    failuresToPause
  }
}`)

export const DeliveryHealthDocument = new TypedDocument<DeliveryHealthQuery, DeliveryHealthQueryVariables>('DeliveryHealth', `query DeliveryHealth($occurredBefore: DateTime!) {
  webhookEventCounts {
    queued
    retrying
    failed
  }
  delivered: webhookEvents(state: DELIVERED, first: 1) {
    nodes {
      finishedAt
    }
  }
  failed: webhookEvents(state: FAILED, first: 50) {
    nodes {
      type
      finishedAt
    }
  }
  waiting: webhookEvents(
    state: QUEUED
    filter: {occurredBefore: $occurredBefore}
    first: 50
  ) {
    nodes {
      dueAt
    }
  }
}`)

export const ExpiringOverridesDocument = new TypedDocument<ExpiringOverridesQuery, ExpiringOverridesQueryVariables>('ExpiringOverrides', `query ExpiringOverrides($expiresBefore: DateTime!, $after: String) {
  overrides(
    filter: {live: true, expiresBefore: $expiresBefore}
    order: EXPIRES
    first: 10
    after: $after
  ) {
    nodes {
      id
      subscriberId
      subscriber {
        name
      }
      feature
      kind
      allowed
      limit
      value
      expiresAt
      note
      setBy {
        displayName
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}`)

export const FirstStepsDocument = new TypedDocument<FirstStepsQuery, FirstStepsQueryVariables>('FirstSteps', `query FirstSteps {
  features {
    key
    name
    kind
  }
  plans {
    key
    name
    updatedAt
    grants {
      feature
      kind
      limit
      value
    }
  }
  subscribers(first: 1) {
    nodes {
      ...SubscribedTo
    }
  }
  subscribed: subscribers(filter: {withoutPlan: false}, first: 20) {
    nodes {
      ...SubscribedTo
    }
  }
  serviceAccounts(first: 20) {
    nodes {
      apiKeys(first: 1) {
        nodes {
          keyId
        }
      }
    }
  }
}
fragment SubscribedTo on Subscriber {
  subscriberId
  activeSubscription {
    planId
  }
}`)

export const FirstAnswersDocument = new TypedDocument<FirstAnswersQuery, FirstAnswersQueryVariables>('FirstAnswers', `query FirstAnswers($subscriberId: ID!) {
  explanation(subscriberId: $subscriberId) {
    items {
      feature
      entitlement {
        allowed
      }
    }
  }
}`)

export const EvalMonthsDocument = new TypedDocument<EvalMonthsQuery, EvalMonthsQueryVariables>('EvalMonths', `query EvalMonths($month1: String!, $month2: String!, $month3: String!, $month4: String!, $month5: String!, $month6: String!, $month7: String!, $month8: String!, $month9: String!, $month10: String!, $month11: String!) {
  month0: evalUsage {
    ...UsageOfMonth
  }
  month1: evalUsage(month: $month1) {
    ...UsageOfMonth
  }
  month2: evalUsage(month: $month2) {
    ...UsageOfMonth
  }
  month3: evalUsage(month: $month3) {
    ...UsageOfMonth
  }
  month4: evalUsage(month: $month4) {
    ...UsageOfMonth
  }
  month5: evalUsage(month: $month5) {
    ...UsageOfMonth
  }
  month6: evalUsage(month: $month6) {
    ...UsageOfMonth
  }
  month7: evalUsage(month: $month7) {
    ...UsageOfMonth
  }
  month8: evalUsage(month: $month8) {
    ...UsageOfMonth
  }
  month9: evalUsage(month: $month9) {
    ...UsageOfMonth
  }
  month10: evalUsage(month: $month10) {
    ...UsageOfMonth
  }
  month11: evalUsage(month: $month11) {
    ...UsageOfMonth
  }
}
fragment UsageOfMonth on EvalUsage {
  month
  used
  allotment
  days {
    date
    used
  }
}`)

export const UnusedKeysDocument = new TypedDocument<UnusedKeysQuery, UnusedKeysQueryVariables>('UnusedKeys', `query UnusedKeys($unusedSince: DateTime!) {
  serviceAccounts(filter: {unusedSince: $unusedSince}, first: 20) {
    nodes {
      serviceAccountId
      name
    }
    pageInfo {
      hasNextPage
    }
  }
}`)

export const AskedFeaturesDocument = new TypedDocument<AskedFeaturesQuery, AskedFeaturesQueryVariables>('AskedFeatures', `query AskedFeatures {
  evalUsageByFeature {
    features {
      feature
      granted
      denied
    }
  }
  features {
    key
    name
  }
}`)
