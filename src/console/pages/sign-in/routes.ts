import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { rootRoute } from '../../frame/root-route.tsx'
import { searchParams, text } from '../../frame/search-params.ts'

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // Where to go afterwards.
  validateSearch: searchParams({ next: text() }),
  component: lazyComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
})

export const signInRoutes = [signInRoute] as const
