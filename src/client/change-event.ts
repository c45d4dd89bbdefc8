/** A change from the feed, or the body of a webhook. Later versions of the service may add types. */
export type ChangeEvent = {
  id: string
  type: string
  occurred_at: string
  organization_id: string
  /** Only in `entitlements.stale` and `entitlements.end_moved`. */
  subscriber_id?: string
  cause?: string
  /** Only in `entitlements.stale`: the features that may have changed; absent if any feature may have changed. */
  features?: string[]
  /** Only in `plan.grants.updated`: the key of the plan. */
  key?: string
}
