import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Position } from './positions.ts'

/** Puts the focus on the active cell when that is asked for: on its input or link, else on the cell itself. */
export function useCellFocus(box: RefObject<HTMLDivElement | null>, { row, column }: Position): () => void {
  const isWanted = useRef(false)

  // After every drawing: the row may have been drawn only now.
  useLayoutEffect(() => {
    if (!isWanted.current) return
    const cell = box.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)
    if (!cell) return
    isWanted.current = false
    const target = cell.querySelector<HTMLElement>('input, select, textarea, a') ?? cell
    target.focus()
  })

  return () => {
    isWanted.current = true
  }
}
