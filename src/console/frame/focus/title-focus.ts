import { findDialog } from './focusable.ts'

const maxWaitMs = 10_000

/**
 * After a navigation: moves the focus to the page's title, which screen readers then announce. An object's title appears
 * only with the object's data, so this waits for the title until the person presses a key or clicks. A drawer keeps the
 * focus that it has taken.
 */
export function focusTitle(): void {
  stopWaiting()
  if (tryFocusTitle()) return
  const observer = new MutationObserver(() => tryFocusTitle() && stopWaiting())
  observer.observe(document.body, { childList: true, subtree: true })
  const timer = setTimeout(stopWaiting, maxWaitMs)
  for (const act of userEvents) document.addEventListener(act, stopWaiting, true)
  stopFocusing = () => {
    observer.disconnect()
    clearTimeout(timer)
    for (const act of userEvents) document.removeEventListener(act, stopWaiting, true)
  }
}

const userEvents = ['keydown', 'pointerdown'] as const
let stopFocusing = () => {}

function stopWaiting(): void {
  stopFocusing()
  stopFocusing = () => {}
}

/** Focuses the title. Returns false if there is none yet, or if a dialog is open, which may be about to close. */
export function tryFocusTitle(): boolean {
  const title = document.querySelector<HTMLElement>('main h1')
  if (!title || findDialog()) return false
  // On a page that is only a form, its first field already has the focus.
  if (document.activeElement?.matches('main form *')) return true
  title.tabIndex = -1
  title.focus({ preventScroll: true })
  return true
}
