import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { handleDialogKeys } from './dialog-keys.ts'
import { clearTrails, keepFocus } from './keep-focus.ts'
import { focusTitle } from './title-focus.ts'

/** Manages the focus on all pages. */
export function useFocus(): void {
  const router = useRouter()
  useEffect(() => {
    const stops = [
      keepFocus(),
      handleDialogKeys(),
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // The browser announces the first page by itself.
        if (!fromLocation || !pathChanged) return
        clearTrails()
        focusTitle()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [router])
}
