import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { organizationRoute } from '../../frame/organization-route.ts'
import { flag, searchParams } from '../../frame/search-params.ts'

const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'settings',
  validateSearch: searchParams({ api: flag() }),
  component: lazyComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
})

export const settingsRoutes = [settingsRoute] as const
