import { Notifications } from '@mantine/notifications'
import { createRootRoute, Outlet } from '@tanstack/react-router'
import { maxToasts } from '../components/feedback/toast.tsx'
import { NotFound } from './not-found.tsx'
import { RouteError } from './route-error.tsx'
import { SignInAgain } from './sign-in-again.tsx'

export const rootRoute = createRootRoute({
  component: () => (
    <>
      {/* Within the router: toasts have links. */}
      <Notifications position="bottom-right" limit={maxToasts} autoClose={6000} />
      <Outlet />
      <SignInAgain />
    </>
  ),
  notFoundComponent: NotFound,
  errorComponent: RouteError,
})
