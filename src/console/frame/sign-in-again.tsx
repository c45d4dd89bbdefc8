import { CatchBoundary } from '@tanstack/react-router'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { currentQuestion, onQuestion } from '../session/ended-session.ts'
import { lazyComponent } from './lazy-component.ts'
import { RouteError } from './route-error.tsx'

const SignInDialog = lazyComponent(() => import('./sign-in-dialog.tsx'), 'SignInDialog')

/** Asks who met an ended session to sign in, over the page as it is. */
export function SignInAgain() {
  const question = useSyncExternalStore(onQuestion, currentQuestion)
  const [wasAsked, setWasAsked] = useState(false)
  if (question && !wasAsked) setWasAsked(true)
  useEffect(() => {
    // Who types has something to lose: then the dialog must open even if the console was built anew meanwhile.
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
