/** The service's event types. GraphQL has no enum for them: they are strings. */
export const eventTypes = ['entitlements.stale', 'plan.grants.updated', 'webhook.test'] as const
