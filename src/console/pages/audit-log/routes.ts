import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organizationRoute } from '../../frame/organization-route.ts'
import { oneOf, searchParams, text } from '../../frame/search-params.ts'

const auditLogRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'audit-log',
  validateSearch: searchParams({
    actor: text(),
    route: text(),
    // A path value, as "key=export".
    param: text(),
    request: text(),
    outcome: oneOf(['REJECTED', 'RESPONDED', 'NO_RESPONSE', 'PENDING']),
  }),
  component: lazyRouteComponent(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
})

export const auditLogRoutes = [auditLogRoute] as const
