import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { rootRoute } from '../../frame/root-route.tsx'
import { requirePerson } from '../../session/guards.ts'

const organizationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizations',
  beforeLoad: ({ location }) => requirePerson(location),
  component: lazyComponent(() => import('./organizations-page.tsx'), 'OrganizationsPage'),
})

export const organizationsRoutes = [organizationsRoute] as const
