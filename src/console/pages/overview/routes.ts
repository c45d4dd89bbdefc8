import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../../frame/organization-route.ts'
import { flag, searchParams } from '../../frame/search-params.ts'

const overviewRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  validateSearch: searchParams({ api: flag() }),
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
})

export const overviewRoutes = [overviewRoute] as const
