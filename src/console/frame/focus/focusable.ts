export const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]'

/** The focusable elements within the element, in document order. */
export function findFocusable(within: ParentNode): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(focusable)].filter(canFocus)
}

/** Whether the element is on the page, enabled and visible. */
export function canFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled, [tabindex="-1"]') && element.checkVisibility()
}

/** The dialog or drawer above all others; null if none is open. */
export function findDialog(): HTMLElement | null {
  return [...document.querySelectorAll<HTMLElement>('[role=dialog][aria-modal=true]')].at(-1) ?? null
}

/** The buttons and links of the toasts, which are outside of dialogs. */
export function findFocusableInToasts(): HTMLElement[] {
  return [...document.querySelectorAll('[data-toasts]')].flatMap(findFocusable)
}
