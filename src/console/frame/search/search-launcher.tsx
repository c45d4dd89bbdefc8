import { useParams } from '@tanstack/react-router'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { NetworkError } from '../../api/errors.ts'
import { toastFailed } from '../../components/feedback/toast.tsx'
import { useShortcuts } from '../shortcuts/use-shortcuts.ts'
import { addRecent, findHitInParams } from './recent.ts'

type DialogProps = { opened: boolean; onClose(): void }
type Props = { opened: boolean; onChange(opened: boolean): void }

/** The search on an organization's pages. Ctrl K, Cmd K and / open it; its code is loaded before it is needed. */
export function SearchLauncher({ opened, onChange }: Props) {
  const Dialog = useDialog(opened, () => onChange(false))
  useShortcuts({ onSearch: () => onChange(true) })
  useFocusReturn(opened)
  useVisitRecorder()
  return Dialog && <Dialog opened={opened} onClose={() => onChange(false)} />
}

/** Loads the dialog's code after the page, so that the dialog opens at once and gets everything that is typed. */
function useDialog(isWanted: boolean, giveUp: () => void): ComponentType<DialogProps> | null {
  const [Dialog, setDialog] = useState<ComponentType<DialogProps> | null>(null)
  const reportFailure = useRef((_error: Error) => {})
  reportFailure.current = (error) => {
    giveUp()
    toastFailed(error)
  }
  useEffect(() => {
    if (Dialog) return
    const fetchDialog = async () => {
      try {
        const { SearchDialog } = await import('./search-dialog.tsx')
        setDialog(() => SearchDialog)
      } catch (error) {
        // The code is fetched again when the search is next opened.
        if (isWanted) reportFailure.current(new NetworkError(error))
      }
    }
    const timer = setTimeout(() => void fetchDialog(), isWanted ? 0 : 500)
    return () => clearTimeout(timer)
  }, [Dialog, isWanted])
  return Dialog
}

/** Returns the focus to the element that had it before the search, unless the person went to another page. */
function useFocusReturn(opened: boolean): void {
  const [before, setBefore] = useState<{ element: Element | null; path: string } | null>(null)
  if (opened && before === null) setBefore({ element: document.activeElement, path: location.pathname })
  useEffect(() => {
    if (opened || before === null) return
    setBefore(null)
    const { element, path } = before
    if (element instanceof HTMLElement && path === location.pathname) element.focus({ preventScroll: true })
  }, [opened, before])
}

/** Remembers the objects whose pages are visited. */
function useVisitRecorder(): void {
  const params: Record<string, string | undefined> = useParams({ strict: false })
  const { organizationId } = params
  const visited = findHitInParams(params)
  const text = visited && JSON.stringify(visited)
  useEffect(() => {
    if (organizationId !== undefined && text !== null) addRecent(organizationId, JSON.parse(text))
  }, [organizationId, text])
}
