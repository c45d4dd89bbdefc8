import { Notifications } from '@mantine/notifications'
import { CatchBoundary, createRootRoute, Link, Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { maxToasts } from '../components/feedback/toast.tsx'
import { currentSignInRequest, onSignInRequest } from '../session/ended-session.ts'
import { useFocus } from './focus/use-focus.ts'
import { lazyComponent } from './lazy-component.ts'
import { NewSecretDialog } from './new-secret-dialog.tsx'
import { PlainFrame } from './plain-frame.tsx'
import { RouteError } from './route-error.tsx'

export const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: RouteError,
})

function Root() {
  useFocus()
  return (
    <>
      {/* Inside the router, because toasts have links. */}
      <Notifications data-toasts position="bottom-right" limit={maxToasts} autoClose={6000} />
      <Outlet />
      <NewSecretDialog />
      <SignInAgain />
    </>
  )
}

function NotFound() {
  return (
    <PlainFrame title="There is no such page" description="The address may be misspelled, or point to a deleted page.">
      <Link to="/">Go to the start page</Link>
    </PlainFrame>
  )
}

const SignInDialog = lazyComponent(() => import('./sign-in-dialog.tsx'), 'SignInDialog')

/** Asks the person to sign in over the page when their session has ended. */
function SignInAgain() {
  const question = useSyncExternalStore(onSignInRequest, currentSignInRequest)
  const [wasAsked, setWasAsked] = useState(false)
  if (question && !wasAsked) setWasAsked(true)
  useEffect(() => {
    // Load the dialog now, so that it opens even after the console is rebuilt: a reload would lose typed text.
    const preload = () => void SignInDialog.preload()
    document.addEventListener('input', preload, { once: true })
    return () => document.removeEventListener('input', preload)
  }, [])
  if (!wasAsked) return null
  return (
    <CatchBoundary getResetKey={() => String(question !== null)} errorComponent={RouteError}>
      <Suspense fallback={null}>
        <SignInDialog question={question} />
      </Suspense>
    </CatchBoundary>
  )
}
