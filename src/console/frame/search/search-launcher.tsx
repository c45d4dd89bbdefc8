import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { addRecent, objectOf } from './recent.ts'

const load = () => import('./search-dialog.tsx')
const SearchDialog = lazy(async () => ({ default: (await load()).SearchDialog }))

type Props = { opened: boolean; onChange(opened: boolean): void }

/** The search of the frame: opened by Ctrl K, Cmd K and /, fetched before it is asked for. */
export function SearchLauncher({ opened, onChange }: Props) {
  const [wasOpened, setWasOpened] = useState(false)
  if (opened && !wasOpened) setWasOpened(true)
  useShortcuts(() => onChange(true))
  useFocusBack(opened)
  useVisits()
  useEffect(() => {
    // After the page itself, so that opening waits for nothing.
    const timer = setTimeout(() => void load(), 500)
    return () => clearTimeout(timer)
  }, [])
  if (!wasOpened) return null
  return (
    <Suspense fallback={null}>
      <SearchDialog opened={opened} onClose={() => onChange(false)} />
    </Suspense>
  )
}

/** Gives the focus back to where it was; the dialog itself is not there yet when it is opened for the first time. */
function useFocusBack(opened: boolean): void {
  useEffect(() => {
    if (!opened) return
    const before = document.activeElement
    return () => {
      // Once the dialog has let the focus go. A page that was left takes its element with it.
      setTimeout(() => before instanceof HTMLElement && before.focus({ preventScroll: true }))
    }
  }, [opened])
}

function useShortcuts(open: () => void): void {
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      const isChord = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k'
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)
      if (!isChord && !isSlash) return
      event.preventDefault()
      open()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select') !== null)
  )
}

/** Remembers the objects whose pages are visited. */
function useVisits(): void {
  const params: Record<string, string | undefined> = useParams({ strict: false })
  const { organizationId } = params
  const visited = objectOf(params)
  const text = visited && JSON.stringify(visited)
  useEffect(() => {
    if (organizationId !== undefined && text !== null) addRecent(organizationId, JSON.parse(text))
  }, [organizationId, text])
}
