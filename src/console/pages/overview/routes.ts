import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { organizationRoute } from '../../frame/organization-route.ts'
import { flag, searchParams } from '../../frame/search-params.ts'

const overviewRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  validateSearch: searchParams({ api: flag(), months: flag() }),
  component: lazyComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
})

export const overviewRoutes = [overviewRoute] as const
