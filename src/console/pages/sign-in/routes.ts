import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../../frame/root-route.tsx'
import { searchParams, text } from '../../frame/search-params.ts'
import { SignInPage } from './sign-in-page.tsx'

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // The page to open after signing in.
  validateSearch: searchParams({ next: text() }),
  // Part of the first script: on a slow connection, another file would mean another wait.
  component: SignInPage,
})

export const signInRoutes = [signInRoute] as const
