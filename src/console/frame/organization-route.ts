import { createRoute } from '@tanstack/react-router'
import { requireMember } from '../session/guards.ts'
import { lazyComponent } from './lazy-component.ts'
import { rootRoute } from './root-route.tsx'

/** The parent of an organization's pages. */
export const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/o/$organizationId',
  // Pointing at a link loads only the page's code, because the audit log records who opens the organization.
  beforeLoad: ({ params, location, preload }) => (preload ? undefined : requireMember(params.organizationId, location)),
  component: lazyComponent(() => import('./organization-frame.tsx'), 'OrganizationFrame'),
})
