import { createRootRoute, Outlet } from '@tanstack/react-router'
import { NotFound } from './not-found.tsx'
import { RouteError } from './route-error.tsx'
import { SignInAgain } from './sign-in-again.tsx'

export const rootRoute = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <SignInAgain />
    </>
  ),
  notFoundComponent: NotFound,
  errorComponent: RouteError,
})
