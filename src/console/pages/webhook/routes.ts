import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { organizationRoute } from '../../frame/organization-route.ts'
import { flag, oneOf, searchParams, text } from '../../frame/search-params.ts'
import { eventTypes } from './event-types.ts'

const webhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhook',
  validateSearch: searchParams({
    state: oneOf(['QUEUED', 'DELIVERED', 'FAILED']),
    type: oneOf(eventTypes),
    subscriber: text(),
    /** The event that is open. */
    delivery: text(),
    edit: flag(),
    /** Opens the dialog that asks whether to pause deliveries. */
    pause: flag(),
    api: flag(),
  }),
  component: lazyComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
})

export const webhookRoutes = [webhookRoute] as const
