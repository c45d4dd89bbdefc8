import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { organizationRoute } from '../../frame/organization-route.ts'
import { flag, oneOf, searchParams, text } from '../../frame/search-params.ts'

const featuresRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'features',
  validateSearch: searchParams({
    q: text(),
    kind: oneOf(['FLAG', 'LIMIT', 'CONFIG']),
    tab: oneOf(['clean-up']),
    // Which list of removable overrides is shown; by default, the overrides that repeat the plan.
    list: oneOf(['permanent', 'expired']),
    create: flag(),
    api: flag(),
  }),
  component: lazyComponent(() => import('./features-page.tsx'), 'FeaturesPage'),
})

const featureRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'features/$featureKey',
  // `revert` is the id of the audit entry whose change is reverted.
  validateSearch: searchParams({ overrides: oneOf(['expired', 'all']), edit: flag(), api: flag(), revert: text() }),
  component: lazyComponent(() => import('./feature-page.tsx'), 'FeaturePage'),
})

export const featureRoutes = [featuresRoute, featureRoute] as const
