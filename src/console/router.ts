import { createRouter } from '@tanstack/react-router'
import { organizationRoute } from './frame/organization-route.ts'
import { rootRoute } from './frame/root-route.tsx'
import { RouteError } from './frame/route-error.tsx'
import { parseSearch, stringifySearch } from './frame/search-params.ts'
import { accountRoutes } from './pages/account/routes.ts'
import { auditLogRoutes } from './pages/audit-log/routes.ts'
import { featureRoutes } from './pages/features/routes.ts'
import { homeRoutes } from './pages/home/routes.ts'
import { joinRoutes } from './pages/join/routes.ts'
import { organizationsRoutes } from './pages/organizations/routes.ts'
import { overviewRoutes } from './pages/overview/routes.ts'
import { planRoutes } from './pages/plans/routes.ts'
import { settingsRoutes } from './pages/settings/routes.ts'
import { signInRoutes } from './pages/sign-in/routes.ts'
import { signUpRoutes } from './pages/sign-up/routes.ts'
import { subscriberRoutes } from './pages/subscribers/routes.ts'
import { teamRoutes } from './pages/team/routes.ts'
import { webhookRoutes } from './pages/webhook/routes.ts'

const routeTree = rootRoute.addChildren([
  ...homeRoutes,
  ...signInRoutes,
  ...signUpRoutes,
  ...joinRoutes,
  ...organizationsRoutes,
  ...accountRoutes,
  organizationRoute.addChildren([
    ...overviewRoutes,
    ...featureRoutes,
    ...planRoutes,
    ...subscriberRoutes,
    ...webhookRoutes,
    ...auditLogRoutes,
    ...teamRoutes,
    ...settingsRoutes,
  ]),
])

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultErrorComponent: RouteError,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
