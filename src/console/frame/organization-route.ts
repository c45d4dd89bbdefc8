import { createRoute } from '@tanstack/react-router'
import { requireMember } from '../session/guards.ts'
import { lazyComponent } from './lazy-component.ts'
import { rootRoute } from './root-route.tsx'

/** The parent of an organization's pages. */
export const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/o/$organizationId',
  beforeLoad: ({ params, location }) => requireMember(params.organizationId, location),
  component: lazyComponent(() => import('./organization-frame.tsx'), 'OrganizationFrame'),
})
