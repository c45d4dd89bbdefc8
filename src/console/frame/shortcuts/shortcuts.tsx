import { useLocation, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyComponent } from '../lazy-component.ts'
import { keysHash } from './keys-hash.ts'

const ShortcutsDialog = lazyComponent(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog')

/** Shows the list of keyboard shortcuts while the URL's hash is `keysHash`. */
export function Shortcuts() {
  const isAsked = useLocation({ select: ({ hash }) => hash === keysHash })
  const navigate = useNavigate()
  if (!isAsked) return null
  return (
    <Suspense fallback={null}>
      <ShortcutsDialog onClose={() => void navigate({ to: '.', search: true, hash: '', replace: true })} />
    </Suspense>
  )
}
