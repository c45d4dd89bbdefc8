import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../../frame/organization-route.ts'

const teamRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'team',
  component: lazyRouteComponent(() => import('./team-page.tsx'), 'TeamPage'),
})

export const teamRoutes = [teamRoute] as const
