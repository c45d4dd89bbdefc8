import type { KeyboardEvent, RefObject } from 'react'

/** Arrow keys, Home and End move between the links of the rows. Enter is the link's own. */
export function useRowKeys(table: RefObject<HTMLTableElement | null>) {
  return function onKeyDown(event: KeyboardEvent): void {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    if (at === -1) return
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    links[next]?.focus()
  }
}
