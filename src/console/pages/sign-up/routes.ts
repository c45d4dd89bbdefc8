import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../frame/root-route.tsx'
import { searchParams, text } from '../../frame/search-params.ts'

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  validateSearch: searchParams({ next: text() }),
  component: lazyRouteComponent(() => import('./sign-up-page.tsx'), 'SignUpPage'),
})

export const signUpRoutes = [signUpRoute] as const
