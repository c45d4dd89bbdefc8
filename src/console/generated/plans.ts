// Made from pages/plans/plans.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ArchivePlanInput = {
  key: string;
};

export type CreatePlanInput = {
  grants?: Array<GrantInput> | null | undefined;
  key: string;
  kind?: string | null | undefined;
  name: string;
  position?: number | null | undefined;
};

export type DeletePlanInput = {
  key: string;
};

export type FeatureKind =
  | 'CONFIG'
  | 'FLAG'
  | 'LIMIT';

export type GrantInput = {
  feature: string;
  kind: FeatureKind;
  limit?: number | null | undefined;
  value?: unknown;
};

export type PreviewPlanUpdateInput = {
  expectedUpdatedAt?: string | null | undefined;
  grants?: Array<GrantInput> | null | undefined;
  key: string;
  name?: string | null | undefined;
  note?: string | null | undefined;
  position?: number | null | undefined;
};

export type SubscriberFilter = {
  planId?: string | null | undefined;
  search?: string | null | undefined;
  text?: string | null | undefined;
  withOverrideOf?: string | null | undefined;
  withoutOverrideOf?: Array<string> | null | undefined;
  withoutPlan?: boolean | null | undefined;
};

export type UnarchivePlanInput = {
  key: string;
};

export type UpdatePlanInput = {
  expectedUpdatedAt?: string | null | undefined;
  grants?: Array<GrantInput> | null | undefined;
  key: string;
  name?: string | null | undefined;
  note?: string | null | undefined;
  position?: number | null | undefined;
};

export type ValueType =
  | 'BOOLEAN'
  | 'ENUM'
  | 'JSON'
  | 'NUMBER'
  | 'STRING';

export type PlansQueryVariables = Exact<{ [key: string]: never; }>;


export type PlansQuery = { plans: Array<{ key: string, name: string, kind: string, archivedAt: string | null, position: number | null, createdAt: string, updatedAt: string, subscriberCount: { value: number, isExact: boolean } | null, grants: Array<{ feature: string, kind: FeatureKind, limit: number | null, value: unknown }> }> | null };

export type MatrixFeaturesQueryVariables = Exact<{ [key: string]: never; }>;


export type MatrixFeaturesQuery = { features: Array<{ key: string, name: string, kind: FeatureKind, valueType: ValueType | null, options: Array<string> | null, position: number | null, updatedAt: string }> | null };

export type PlanQueryVariables = Exact<{
  key: string;
}>;


export type PlanQuery = { plan: { key: string, name: string, kind: string, archivedAt: string | null, position: number | null, createdAt: string, updatedAt: string, subscriberCount: { value: number, isExact: boolean } | null, grants: Array<{ feature: string, kind: FeatureKind, limit: number | null, value: unknown }> } | null, features: Array<{ key: string, position: number | null }> | null };

export type PreviewPlanUpdateQueryVariables = Exact<{
  input: PreviewPlanUpdateInput;
}>;


export type PreviewPlanUpdateQuery = { previewPlanUpdate: { subscribers: { value: number, isExact: boolean }, changes: Array<{ feature: string, from: { feature: string, kind: FeatureKind, limit: number | null, value: unknown } | null, to: { feature: string, kind: FeatureKind, limit: number | null, value: unknown } | null, hiddenByOverride: { value: number, isExact: boolean } }>, problems: Array<{ path: string, message: string }> } | null };

export type ScheduledOverridesOfFeatureQueryVariables = Exact<{
  feature: string;
  expiresAfter: string;
}>;


export type ScheduledOverridesOfFeatureQuery = { ending: { nodes: Array<{ startsAt: string | null, subscriber: { activeSubscription: { planId: string } | null } | null }>, pageInfo: { hasNextPage: boolean } } | null, permanent: { nodes: Array<{ startsAt: string | null, subscriber: { activeSubscription: { planId: string } | null } | null }>, pageInfo: { hasNextPage: boolean } } | null };

export type ScheduledOverridesOfPlanFragment = { nodes: Array<{ startsAt: string | null, subscriber: { activeSubscription: { planId: string } | null } | null }>, pageInfo: { hasNextPage: boolean } };

export type SubscribersReachedQueryVariables = Exact<{
  filter?: SubscriberFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type SubscribersReachedQuery = { subscribers: { nodes: Array<{ subscriberId: string, overrides: Array<{ feature: string, startsAt: string | null }> | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type CreatePlanMutationVariables = Exact<{
  input: CreatePlanInput;
}>;


export type CreatePlanMutation = { createPlan: { key: string } | null };

export type UpdatePlanMutationVariables = Exact<{
  input: UpdatePlanInput;
}>;


export type UpdatePlanMutation = { updatePlan: { key: string, updatedAt: string } | null };

export type ArchivePlanMutationVariables = Exact<{
  input: ArchivePlanInput;
}>;


export type ArchivePlanMutation = { archivePlan: { key: string } | null };

export type UnarchivePlanMutationVariables = Exact<{
  input: UnarchivePlanInput;
}>;


export type UnarchivePlanMutation = { unarchivePlan: { key: string } | null };

export type DeletePlanMutationVariables = Exact<{
  input: DeletePlanInput;
}>;


export type DeletePlanMutation = { deletePlan: string | null };

export type PlanRowFragment = { key: string, name: string, kind: string, archivedAt: string | null, position: number | null, createdAt: string, updatedAt: string, subscriberCount: { value: number, isExact: boolean } | null, grants: Array<{ feature: string, kind: FeatureKind, limit: number | null, value: unknown }> };

export type GrantOfPlanFragment = { feature: string, kind: FeatureKind, limit: number | null, value: unknown };

export type CountOfPlanFragment = { value: number, isExact: boolean };

export const PlansDocument = new TypedDocument<PlansQuery, PlansQueryVariables>('Plans', `query Plans {
  plans(includeArchived: true) {
    ...PlanRow
  }
}
fragment PlanRow on Plan {
  key
  name
  kind
  archivedAt
  position
  createdAt
  updatedAt
  subscriberCount {
    ...CountOfPlan
  }
  grants {
    ...GrantOfPlan
  }
}
fragment CountOfPlan on Count {
  value
  isExact
}
fragment GrantOfPlan on Grant {
  feature
  kind
  limit
  value
}`)

export const MatrixFeaturesDocument = new TypedDocument<MatrixFeaturesQuery, MatrixFeaturesQueryVariables>('MatrixFeatures', `query MatrixFeatures {
  features {
    key
    name
    kind
    valueType
    options
    position
    updatedAt
  }
}`)

export const PlanDocument = new TypedDocument<PlanQuery, PlanQueryVariables>('Plan', `query Plan($key: ID!) {
  plan(key: $key) {
    ...PlanRow
  }
  features {
    key
    position
  }
}
fragment PlanRow on Plan {
  key
  name
  kind
  archivedAt
  position
  createdAt
  updatedAt
  subscriberCount {
    ...CountOfPlan
  }
  grants {
    ...GrantOfPlan
  }
}
fragment CountOfPlan on Count {
  value
  isExact
}
fragment GrantOfPlan on Grant {
  feature
  kind
  limit
  value
}`)

export const PreviewPlanUpdateDocument = new TypedDocument<PreviewPlanUpdateQuery, PreviewPlanUpdateQueryVariables>('PreviewPlanUpdate', `query PreviewPlanUpdate($input: PreviewPlanUpdateInput!) {
  previewPlanUpdate(input: $input) {
    subscribers {
      ...CountOfPlan
    }
    changes {
      feature
      from {
        ...GrantOfPlan
      }
      to {
        ...GrantOfPlan
      }
      hiddenByOverride {
        ...CountOfPlan
      }
    }
    problems {
      path
      message
    }
  }
}
fragment CountOfPlan on Count {
  value
  isExact
}
fragment GrantOfPlan on Grant {
  feature
  kind
  limit
  value
}`)

export const ScheduledOverridesOfFeatureDocument = new TypedDocument<ScheduledOverridesOfFeatureQuery, ScheduledOverridesOfFeatureQueryVariables>('ScheduledOverridesOfFeature', `query ScheduledOverridesOfFeature($feature: ID!, $expiresAfter: DateTime!) {
  ending: overrides(
    filter: {feature: $feature, live: false, expiresAfter: $expiresAfter}
    first: 100
  ) {
    ...ScheduledOverridesOfPlan
  }
  permanent: overrides(
    filter: {feature: $feature, live: false, permanent: true}
    first: 100
  ) {
    ...ScheduledOverridesOfPlan
  }
}
fragment ScheduledOverridesOfPlan on OverrideConnection {
  nodes {
    startsAt
    subscriber {
      activeSubscription {
        planId
      }
    }
  }
  pageInfo {
    hasNextPage
  }
}`)

export const SubscribersReachedDocument = new TypedDocument<SubscribersReachedQuery, SubscribersReachedQueryVariables>('SubscribersReached', `query SubscribersReached($filter: SubscriberFilter, $after: String) {
  subscribers(filter: $filter, first: 100, after: $after) {
    nodes {
      subscriberId
      overrides(includeExpired: true) {
        feature
        startsAt
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}`)

export const CreatePlanDocument = new TypedDocument<CreatePlanMutation, CreatePlanMutationVariables>('CreatePlan', `mutation CreatePlan($input: CreatePlanInput!) {
  createPlan(input: $input) {
    key
  }
}`)

export const UpdatePlanDocument = new TypedDocument<UpdatePlanMutation, UpdatePlanMutationVariables>('UpdatePlan', `mutation UpdatePlan($input: UpdatePlanInput!) {
  updatePlan(input: $input) {
    key
    updatedAt
  }
}`)

export const ArchivePlanDocument = new TypedDocument<ArchivePlanMutation, ArchivePlanMutationVariables>('ArchivePlan', `mutation ArchivePlan($input: ArchivePlanInput!) {
  archivePlan(input: $input) {
    key
  }
}`)

export const UnarchivePlanDocument = new TypedDocument<UnarchivePlanMutation, UnarchivePlanMutationVariables>('UnarchivePlan', `mutation UnarchivePlan($input: UnarchivePlanInput!) {
  unarchivePlan(input: $input) {
    key
  }
}`)

export const DeletePlanDocument = new TypedDocument<DeletePlanMutation, DeletePlanMutationVariables>('DeletePlan', `mutation DeletePlan($input: DeletePlanInput!) {
  deletePlan(input: $input)
}`)
