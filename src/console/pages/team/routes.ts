import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { organizationRoute } from '../../frame/organization-route.ts'
import { flag, oneOf, searchParams } from '../../frame/search-params.ts'

const teamRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'team',
  validateSearch: searchParams({
    tab: oneOf(['members', 'invites', 'service-accounts', 'groups', 'roles']),
    invite: flag(),
    create: flag(),
    api: flag(),
  }),
  component: lazyComponent(() => import('./team-page.tsx'), 'TeamPage'),
})

const memberRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'team/members/$memberId',
  validateSearch: searchParams({ edit: flag(), api: flag() }),
  component: lazyComponent(() => import('./members/member-page.tsx'), 'MemberPage'),
})

const serviceAccountRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'team/service-accounts/$serviceAccountId',
  validateSearch: searchParams({ edit: flag(), key: flag(), api: flag() }),
  component: lazyComponent(() => import('./service-accounts/service-account-page.tsx'), 'ServiceAccountPage'),
})

export const teamRoutes = [teamRoute, memberRoute, serviceAccountRoute] as const
