import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../../frame/organization-route.ts'
import { flag, searchParams } from '../../frame/search-params.ts'

const subscribersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'subscribers',
  validateSearch: searchParams({ api: flag() }),
  component: lazyRouteComponent(() => import('./subscribers-page.tsx'), 'SubscribersPage'),
})

const subscriberRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'subscribers/$subscriberId',
  component: lazyRouteComponent(() => import('./subscriber-page.tsx'), 'SubscriberPage'),
})

export const subscriberRoutes = [subscribersRoute, subscriberRoute] as const
