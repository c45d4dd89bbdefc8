import { createRoute } from '@tanstack/react-router'
import { requirePerson } from '../../frame/guards.ts'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { rootRoute } from '../../frame/root-route.tsx'

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  beforeLoad: ({ location }) => requirePerson(location),
  component: lazyComponent(() => import('./account-page.tsx'), 'AccountPage'),
})

export const accountRoutes = [accountRoute] as const
