import { createRoute } from '@tanstack/react-router'
import { requireMember } from '../session/guards.ts'
import { OrganizationFrame } from './organization-frame.tsx'
import { rootRoute } from './root-route.tsx'

/** Above every page of an organization. */
export const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/o/$organizationId',
  beforeLoad: ({ params, location }) => requireMember(params.organizationId, location),
  component: OrganizationFrame,
})
