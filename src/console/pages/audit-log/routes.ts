import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { organizationRoute } from '../../frame/organization-route.ts'
import { flag, oneOf, searchParams, text } from '../../frame/search-params.ts'

const auditLogRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'audit-log',
  validateSearch: searchParams({
    /** A member id. */
    actor: text(),
    /** An object, such as "plan:pro": only the entries of requests that created, changed or removed it. */
    object: text(),
    /** A subscriber's id: only the entries of requests that changed the subscriber. */
    subscriber: text(),
    /** Method and route: "PATCH /org/plans/{key}". */
    action: text(),
    request: text(),
    outcome: oneOf(['REJECTED', 'RESPONDED', 'NO_RESPONSE', 'PENDING']),
    /** The first and the last day, in the person's time zone: "2026-11-22". */
    since: text(),
    until: text(),
    /** Includes entries that changed nothing. */
    all: flag(),
    /** The id of the open entry. */
    entry: text(),
    /** If the open entry is an import that the console sent in parts: the request ids of its older parts. */
    parts: text(),
    api: flag(),
  }),
  component: lazyComponent(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
})

export const auditLogRoutes = [auditLogRoute] as const
