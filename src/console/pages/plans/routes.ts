import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../../frame/organization-route.ts'
import { flag, searchParams } from '../../frame/search-params.ts'

const plansRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'plans',
  validateSearch: searchParams({ archived: flag(), api: flag() }),
  component: lazyRouteComponent(() => import('./plans-page.tsx'), 'PlansPage'),
})

const planRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'plans/$planKey',
  component: lazyRouteComponent(() => import('./plan-page.tsx'), 'PlanPage'),
})

export const planRoutes = [plansRoute, planRoute] as const
