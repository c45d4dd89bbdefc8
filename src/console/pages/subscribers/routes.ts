import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { organizationRoute } from '../../frame/organization-route.ts'
import { flag, oneOf, searchParams, text } from '../../frame/search-params.ts'

const filters = {
  q: text(),
  plan: text(),
  without_plan: flag(),
  /** A feature key: only subscribers with, or without, a live override of the feature. */
  with_override_of: text(),
  without_override_of: text(),
}

const subscribersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'subscribers',
  validateSearch: searchParams({ ...filters, create: flag(), api: flag() }),
  component: lazyComponent(() => import('./subscribers-page.tsx'), 'SubscribersPage'),
})

const subscriberRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'subscribers/$subscriberId',
  validateSearch: searchParams({
    tab: oneOf(['plans', 'overrides', 'history']),
    /** Filters of the features: a part of a key or name, and the source of the value. */
    q: text(),
    source: oneOf(['OVERRIDE', 'PLAN', 'NONE']),
    /** The filter of the tab with overrides. */
    state: oneOf(['live', 'expired']),
    /** The feature whose history is shown. */
    of: text(),
    /** The past or future time of the features. */
    at: text(),
    /**
     * Which drawer is open: `feature` is a feature key, `change` opens the change of plan with the new plan `to`, and `open`
     * names one of the other drawers.
     */
    feature: text(),
    change: flag(),
    to: text(),
    open: oneOf(['rename', 'check', 'api']),
  }),
  component: lazyComponent(() => import('./subscriber-page.tsx'), 'SubscriberPage'),
})

/** The path is not below `/subscribers`, because a subscriber may have the id "import". */
const importRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'import',
  component: lazyComponent(() => import('./import/import-page.tsx'), 'ImportPage'),
})

const bulkRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'bulk',
  validateSearch: searchParams(filters),
  component: lazyComponent(() => import('./bulk/bulk-page.tsx'), 'BulkPage'),
})

export const subscriberRoutes = [subscribersRoute, importRoute, bulkRoute, subscriberRoute] as const
