// Made from pages/subscribers/subscribers.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CancelSubscriptionInput = {
  expectedSubscriptionId?: string | null | undefined;
  subscriberId: string;
  subscriptionId: string;
};

export type ChangeSubscriptionInput = {
  expectedSubscriptionId?: string | null | undefined;
  planId: string;
  subscriberId: string;
};

export type CreateSubscriberInput = {
  name?: string | null | undefined;
  subscriberId: string;
};

export type CreateSubscriptionInput = {
  planId: string;
  subscriberId: string;
};

export type DeleteSubscriberInput = {
  subscriberId: string;
};

export type SubscriberFilter = {
  planId?: string | null | undefined;
  search?: string | null | undefined;
  text?: string | null | undefined;
  withOverrideOf?: string | null | undefined;
  withoutOverrideOf?: Array<string> | null | undefined;
  withoutPlan?: boolean | null | undefined;
};

export type SubscriptionStatus =
  | 'ACTIVE'
  | 'CANCELED';

export type UpdateSubscriberInput = {
  expectedUpdatedAt?: string | null | undefined;
  name?: string | null | undefined;
  subscriberId: string;
};

export type SubscribersQueryVariables = Exact<{
  filter?: SubscriberFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type SubscribersQuery = { subscribers: { nodes: Array<{ subscriberId: string, name: string | null, createdAt: string, activeSubscription: { planId: string, plan: { name: string, archivedAt: string | null } | null } | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type PlanChoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type PlanChoicesQuery = { plans: Array<{ key: string, name: string, archivedAt: string | null, position: number | null }> | null };

export type CreateSubscriberMutationVariables = Exact<{
  input: CreateSubscriberInput;
}>;


export type CreateSubscriberMutation = { createSubscriber: { subscriberId: string } | null };

export type CreateSubscriptionMutationVariables = Exact<{
  input: CreateSubscriptionInput;
}>;


export type CreateSubscriptionMutation = { createSubscription: { id: string, planId: string } | null };

export type SubscriberQueryVariables = Exact<{
  subscriberId: string;
}>;


export type SubscriberQuery = { subscriber: { subscriberId: string, name: string | null, createdAt: string, updatedAt: string, activeSubscription: { id: string, planId: string, createdAt: string, plan: { name: string, archivedAt: string | null } | null, createdBy: { displayName: string } | null } | null } | null };

export type SubscriptionHistoryQueryVariables = Exact<{
  subscriberId: string;
  after?: string | null | undefined;
}>;


export type SubscriptionHistoryQuery = { subscriber: { subscriptions: { nodes: Array<{ id: string, planId: string, status: SubscriptionStatus, createdAt: string, canceledAt: string | null, plan: { name: string, archivedAt: string | null } | null, createdBy: { displayName: string } | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null } | null };

export type UpdateSubscriberMutationVariables = Exact<{
  input: UpdateSubscriberInput;
}>;


export type UpdateSubscriberMutation = { updateSubscriber: { subscriberId: string, name: string | null, updatedAt: string } | null };

export type DeleteSubscriberMutationVariables = Exact<{
  input: DeleteSubscriberInput;
}>;


export type DeleteSubscriberMutation = { deleteSubscriber: string | null };

export type ChangeSubscriptionMutationVariables = Exact<{
  input: ChangeSubscriptionInput;
}>;


export type ChangeSubscriptionMutation = { changeSubscription: { id: string, planId: string } | null };

export type CancelSubscriptionMutationVariables = Exact<{
  input: CancelSubscriptionInput;
}>;


export type CancelSubscriptionMutation = { cancelSubscription: { id: string } | null };

export type SubscriberExportQueryVariables = Exact<{
  filter?: SubscriberFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type SubscriberExportQuery = { subscribers: { nodes: Array<{ subscriberId: string, name: string | null, createdAt: string, updatedAt: string, activeSubscription: { planId: string, plan: { name: string, archivedAt: string | null } | null } | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export const SubscribersDocument = new TypedDocument<SubscribersQuery, SubscribersQueryVariables>('Subscribers', `query Subscribers($filter: SubscriberFilter, $after: String) {
  subscribers(filter: $filter, first: 100, after: $after) {
    nodes {
      subscriberId
      name
      createdAt
      activeSubscription {
        planId
        plan {
          name
          archivedAt
        }
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}`)

export const PlanChoicesDocument = new TypedDocument<PlanChoicesQuery, PlanChoicesQueryVariables>('PlanChoices', `query PlanChoices {
  plans(includeArchived: true) {
    key
    name
    archivedAt
    position
  }
}`)

export const CreateSubscriberDocument = new TypedDocument<CreateSubscriberMutation, CreateSubscriberMutationVariables>('CreateSubscriber', `mutation CreateSubscriber($input: CreateSubscriberInput!) {
  createSubscriber(input: $input) {
    subscriberId
  }
}`)

export const CreateSubscriptionDocument = new TypedDocument<CreateSubscriptionMutation, CreateSubscriptionMutationVariables>('CreateSubscription', `mutation CreateSubscription($input: CreateSubscriptionInput!) {
  createSubscription(input: $input) {
    id
    planId
  }
}`)

export const SubscriberDocument = new TypedDocument<SubscriberQuery, SubscriberQueryVariables>('Subscriber', `query Subscriber($subscriberId: ID!) {
  subscriber(subscriberId: $subscriberId) {
    subscriberId
    name
    createdAt
    updatedAt
    activeSubscription {
      id
      planId
      plan {
        name
        archivedAt
      }
      createdAt
      createdBy {
        displayName
      }
    }
  }
}`)

export const SubscriptionHistoryDocument = new TypedDocument<SubscriptionHistoryQuery, SubscriptionHistoryQueryVariables>('SubscriptionHistory', `query SubscriptionHistory($subscriberId: ID!, $after: String) {
  subscriber(subscriberId: $subscriberId) {
    subscriptions(first: 100, after: $after) {
      nodes {
        id
        planId
        plan {
          name
          archivedAt
        }
        status
        createdAt
        canceledAt
        createdBy {
          displayName
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
}`)

export const UpdateSubscriberDocument = new TypedDocument<UpdateSubscriberMutation, UpdateSubscriberMutationVariables>('UpdateSubscriber', `mutation UpdateSubscriber($input: UpdateSubscriberInput!) {
  updateSubscriber(input: $input) {
    subscriberId
    name
    updatedAt
  }
}`)

export const DeleteSubscriberDocument = new TypedDocument<DeleteSubscriberMutation, DeleteSubscriberMutationVariables>('DeleteSubscriber', `mutation DeleteSubscriber($input: DeleteSubscriberInput!) {
  deleteSubscriber(input: $input)
}`)

export const ChangeSubscriptionDocument = new TypedDocument<ChangeSubscriptionMutation, ChangeSubscriptionMutationVariables>('ChangeSubscription', `mutation ChangeSubscription($input: ChangeSubscriptionInput!) {
  changeSubscription(input: $input) {
    id
    planId
  }
}`)

export const CancelSubscriptionDocument = new TypedDocument<CancelSubscriptionMutation, CancelSubscriptionMutationVariables>('CancelSubscription', `mutation CancelSubscription($input: CancelSubscriptionInput!) {
  cancelSubscription(input: $input) {
    id
  }
}`)

export const SubscriberExportDocument = new TypedDocument<SubscriberExportQuery, SubscriberExportQueryVariables>('SubscriberExport', `query SubscriberExport($filter: SubscriberFilter, $after: String) {
  subscribers(filter: $filter, first: 100, after: $after) {
    nodes {
      subscriberId
      name
      createdAt
      updatedAt
      activeSubscription {
        planId
        plan {
          name
          archivedAt
        }
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}`)
