import { canFocus, findDialog, findFocusable, focusable } from './focusable.ts'
import { tryFocusTitle } from './title-focus.ts'

/** An element that had the focus, the focusable elements before it (nearest first), and the table row of the nearest one. */
type FocusTrail = { element: HTMLElement; before: HTMLElement[]; row: number | null }

const maxTrails = 20
/** Longer than dialogs need to return the focus by themselves, which takes 10 ms. */
const dialogFocusMs = 30
/** After this time, a long table has drawn its visible rows. */
const tableDrawMs = 400

let trails: FocusTrail[] = []
/** Whether the person clicked on empty space: then nothing should have the focus. */
let isFocusCleared = false

/** Forgets the elements of the previous page. */
export function clearTrails(): void {
  trails = []
}

/**
 * Browsers drop the focus when the focused element is removed or disabled, such as the button of a saved form, a deleted
 * row, the last "Show more", or a toast's Undo. This returns the focus to that element when it is enabled again, or to an
 * element at the same position. Returns a function that stops this.
 */
export function keepFocus(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const observer = new MutationObserver(() => {
    if (document.activeElement !== document.body || trails.length === 0 || isFocusCleared) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (!restoreFocus()) timer = setTimeout(focusFallback, tableDrawMs)
    }, dialogFocusMs)
  })
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  })
  document.addEventListener('focusin', rememberFocused)
  document.addEventListener('pointerdown', noteClick, true)
  return () => {
    observer.disconnect()
    clearTimeout(timer)
    document.removeEventListener('focusin', rememberFocused)
    document.removeEventListener('pointerdown', noteClick, true)
  }
}

function noteClick({ target }: PointerEvent): void {
  isFocusCleared = !(target instanceof Element) || target.closest(focusable) === null
}

function rememberFocused({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement) || target === document.body) return
  isFocusCleared = false
  // A toast is outside of dialogs and the main element, so no elements are recorded before it.
  const around = focusableAround(target)
  const at = around.indexOf(target)
  const before = around.slice(Math.max(0, at - maxTrails), Math.max(0, at)).reverse()
  const row = before[0]?.closest<HTMLElement>('tr[data-index]')?.dataset.index
  const trail = { element: target, before, row: row === undefined ? null : Number(row) }
  trails = [...trails.filter(({ element }) => element !== target), trail].slice(-maxTrails)
}

function focusableAround(element: HTMLElement): HTMLElement[] {
  const part = element.closest('[role=dialog], main')
  return part ? findFocusable(part) : []
}

/**
 * Focuses the last element that had the focus, or the one at its position. Returns false if neither exists; does nothing if
 * something has the focus, or if the element is a disabled button that waits for its answer.
 */
function restoreFocus(): boolean {
  if (document.activeElement !== document.body) return true
  const dialog = findDialog()
  const isAllowed = (element: HTMLElement) => canFocus(element) && (dialog === null || dialog.contains(element))
  for (const { element, before, row } of [...trails].reverse()) {
    // The element is a button that waits for the server's answer, and is enabled afterwards.
    if (element.isConnected && element.matches(':disabled') && element.checkVisibility()) return true
    const found = isAllowed(element) ? element : (findSuccessor(before.filter(isAllowed)) ?? findRow(row))
    if (!found || !isAllowed(found)) continue
    found.focus({ preventScroll: true })
    return true
  }
  return false
}

function focusFallback(): void {
  if (restoreFocus()) return
  const dialog = findDialog()
  if (dialog) findFocusable(dialog)[0]?.focus({ preventScroll: true })
  else tryFocusTitle()
}

/** The element after the nearest preceding one that still exists. */
function findSuccessor([nearest]: HTMLElement[]): HTMLElement | undefined {
  if (!nearest) return undefined
  const around = focusableAround(nearest)
  return around[around.indexOf(nearest) + 1] ?? nearest
}

/** The first focusable element of the row after `index`. By index, because a long table replaces its row elements. */
function findRow(index: number | null): HTMLElement | undefined {
  if (index === null) return undefined
  const row =
    document.querySelector(`main tr[data-index="${index + 1}"]`) ??
    document.querySelector(`main tr[data-index="${index}"]`)
  return row ? findFocusable(row)[0] : undefined
}
