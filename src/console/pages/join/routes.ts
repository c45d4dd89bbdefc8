import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../frame/root-route.tsx'

const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/join',
  component: lazyRouteComponent(() => import('./join-page.tsx'), 'JoinPage'),
})

export const joinRoutes = [joinRoute] as const
