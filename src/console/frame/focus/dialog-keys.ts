import { findDialog, findFocusable, findFocusableInToasts } from './focusable.ts'

/** Handles the keys of all dialogs: Ctrl+Enter submits the form, and Tab also reaches the toasts, which offer Undo. */
export function handleDialogKeys(): () => void {
  document.addEventListener('keydown', submitDialog)
  document.addEventListener('keydown', moveFocusByTab, true)
  return () => {
    document.removeEventListener('keydown', submitDialog)
    document.removeEventListener('keydown', moveFocusByTab, true)
  }
}

function submitDialog(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
  const dialog = findDialog()
  const button = dialog?.querySelector<HTMLElement>('[data-actions] button:last-of-type:not(:disabled)')
  const ownForm = event.target instanceof Element ? event.target.closest('form') : null
  const form = ownForm ?? (button ? null : dialog?.querySelector('form'))
  if (!form && !button) return
  event.preventDefault()
  if (form) form.requestSubmit()
  else button?.click()
}

/** A dialog traps the focus. From its last element, Tab moves on to the toasts, and then back to its first element. */
function moveFocusByTab(event: KeyboardEvent): void {
  if (event.key !== 'Tab' || event.altKey || event.ctrlKey || event.metaKey) return
  const [dialog, toasts] = [findDialog(), findFocusableInToasts()]
  if (!dialog) return
  const inside = findFocusable(dialog)
  const active = document.activeElement as HTMLElement
  const isAtEnd = (list: HTMLElement[]) => list.at(event.shiftKey ? 0 : -1) === active
  if (toasts.length === 0 || !(isAtEnd(inside) || isAtEnd(toasts))) return
  const other = toasts.includes(active) ? inside : toasts
  event.preventDefault()
  event.stopImmediatePropagation()
  other.at(event.shiftKey ? -1 : 0)?.focus()
}
