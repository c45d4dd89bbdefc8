import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { organizationRoute } from '../../frame/organization-route.ts'
import { flag, oneOf, searchParams, text } from '../../frame/search-params.ts'

const webhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhook',
  validateSearch: searchParams({
    state: oneOf(['QUEUED', 'DELIVERED', 'FAILED']),
    type: oneOf(['entitlements.stale', 'plan.grants.updated', 'webhook.test']),
    subscriber: text(),
    /** The event that is open. */
    delivery: text(),
    edit: flag(),
    api: flag(),
  }),
  component: lazyComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
})

export const webhookRoutes = [webhookRoute] as const
