import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { keysHash } from './keys-hash.ts'

/** Handles the keys that work on every page of an organization. */
export function useShortcuts({ onSearch }: { onSearch(): void }): void {
  const navigate = useNavigate()
  useEffect(() => {
    function handleKey(event: KeyboardEvent): void {
      // The matrix of plans may have handled the key already: typing in a cell begins to edit it.
      const isUnhandled = !event.defaultPrevented && !isTyping(event.target)
      const isPlain = isUnhandled && !event.ctrlKey && !event.metaKey && !event.altKey
      const isChord = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k'
      if (isChord || (isPlain && event.key === '/')) onSearch()
      else if (isPlain && event.key === '?') void navigate({ to: '.', search: true, hash: keysHash, replace: true })
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  })
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select') !== null)
  )
}
