import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { rootRoute } from '../../frame/root-route.tsx'
import { searchParams, text } from '../../frame/search-params.ts'

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  validateSearch: searchParams({ next: text() }),
  component: lazyComponent(() => import('./sign-up-page.tsx'), 'SignUpPage'),
})

export const signUpRoutes = [signUpRoute] as const
