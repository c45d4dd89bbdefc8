import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../../frame/organization-route.ts'
import { oneOf, searchParams } from '../../frame/search-params.ts'

const webhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhook',
  validateSearch: searchParams({ state: oneOf(['QUEUED', 'DELIVERED', 'FAILED']) }),
  component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
})

export const webhookRoutes = [webhookRoute] as const
