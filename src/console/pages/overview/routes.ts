import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../../frame/organization-route.ts'

const overviewRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
})

export const overviewRoutes = [overviewRoute] as const
