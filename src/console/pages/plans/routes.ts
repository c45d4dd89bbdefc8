import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { organizationRoute } from '../../frame/organization-route.ts'
import { flag, searchParams, text } from '../../frame/search-params.ts'

const plansRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'plans',
  validateSearch: searchParams({ q: text(), archived: flag(), review: flag(), create: flag(), api: flag() }),
  component: lazyComponent(() => import('./plans-page.tsx'), 'PlansPage'),
})

const planRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'plans/$planKey',
  // `revert` is the id of the audit entry whose change is reverted.
  validateSearch: searchParams({ edit: flag(), api: flag(), revert: text() }),
  component: lazyComponent(() => import('./plan/plan-page.tsx'), 'PlanPage'),
})

/** The path is not below `/plans`, because a plan may have the key "copy-catalog". */
const copyRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'copy-catalog',
  /** The organization that gets the catalog. */
  validateSearch: searchParams({ to: text() }),
  component: lazyComponent(() => import('./copy/copy-page.tsx'), 'CopyPage'),
})

export const planRoutes = [plansRoute, planRoute, copyRoute] as const
