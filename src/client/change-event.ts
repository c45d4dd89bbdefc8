/** A change of the feed, or the body of a webhook. There may be more types than these one day. */
export type ChangeEvent = {
  id: string
  type: string
  occurred_at: string
  organization_id: string
  /** Only in `entitlements.stale` and `entitlements.end_moved`. */
  subscriber_id?: string
  cause?: string
  /** Only in `entitlements.stale`: the features concerned; absent if it may be any. */
  features?: string[]
  /** Only in `plan.grants.updated`: the key of the plan. */
  key?: string
}
