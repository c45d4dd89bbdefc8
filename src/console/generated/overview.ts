// Made from pages/overview/overview.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type EvalUsageQueryVariables = Exact<{ [key: string]: never; }>;


export type EvalUsageQuery = { evalUsage: { month: string, used: number, allotment: number | null, days: Array<{ date: string, used: number }> } | null };

export type DeliveryHealthQueryVariables = Exact<{ [key: string]: never; }>;


export type DeliveryHealthQuery = { webhookEventCounts: { queued: number, retrying: number, failed: number } | null };

export const EvalUsageDocument = new TypedDocument<EvalUsageQuery, EvalUsageQueryVariables>('EvalUsage', `query EvalUsage {
  evalUsage {
    month
    used
    allotment
    days {
      date
      used
    }
  }
}`)

export const DeliveryHealthDocument = new TypedDocument<DeliveryHealthQuery, DeliveryHealthQueryVariables>('DeliveryHealth', `query DeliveryHealth {
  webhookEventCounts {
    queued
    retrying
    failed
  }
}`)
