/** The types of events, as the service has them: in GraphQL they are strings. */
export const eventTypes = ['entitlements.stale', 'plan.grants.updated', 'webhook.test'] as const
