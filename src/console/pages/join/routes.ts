import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { rootRoute } from '../../frame/root-route.tsx'

const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/join',
  component: lazyComponent(() => import('./join-page.tsx'), 'JoinPage'),
})

export const joinRoutes = [joinRoute] as const
