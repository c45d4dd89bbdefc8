import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type Position, positionAfterEdit, positionAfterKey, readPosition, type Step } from './positions.ts'
import { type Cell, type Cells, findCell, useCellEditing } from './use-cell-editing.ts'

type Options = Cells & {
  /** Scrolls to a row that is out of sight, so that it is rendered. */
  reveal(row: number): void
  /** A cell to open as soon as it is among the rows; then `onFound` is called. */
  sought: Cell | null
  onFound(): void
}

/** The keyboard's position in the matrix, and the handlers of clicks and keys. */
export function useGrid({ reveal, sought, onFound, ...cells }: Options) {
  const { features, plans, mayWrite } = cells
  const box = useRef<HTMLDivElement>(null)
  const [position, setPosition] = useState<Position>({ row: 0, column: 0 })
  const size = { rows: features.length, columns: plans.length }
  const { editing, open, toggle, set, type, close, leave, cancel } = useCellEditing(cells)
  const active = editing?.at ?? clampPosition(position, size)
  const focusActive = useCellFocus(box, active)

  function moveTo(next: Position): void {
    focusActive()
    close()
    setPosition(next)
    reveal(next.row)
  }

  function edit(at: Position, typed?: string): boolean {
    const isOpen = open(at, typed)
    if (isOpen) setPosition(at)
    return isOpen
  }

  useSoughtCell(sought, cells, (at) => {
    onFound()
    reveal(at.row)
    edit(at)
  })

  function onClick({ target }: MouseEvent): void {
    const at = readPosition(target)
    if (!at || !isCell(at) || (editing && isSamePosition(at, active))) return
    if (edit(at)) return
    moveTo(at)
    if (features[at.row]?.kind === 'FLAG') toggle(at)
  }

  /** A header that gets the focus by a click or a move becomes the active cell. */
  function onFocus({ target }: FocusEvent): void {
    const at = readPosition(target)
    if (at && !isCell(at) && !isSamePosition(at, active)) setPosition(at)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const at = readPosition(event.target)
    if (!at) return
    const next = positionAfterKey(event, at, size)
    if (next) moveTo(next)
    else if (!mayWrite || !changeByKey(event, at)) return
    event.preventDefault()
  }

  /** Returns false for a key that does nothing in the cell. */
  function changeByKey(event: KeyboardEvent, at: Position): boolean {
    const meaning = isCell(at) ? actionOfKey(event, features[at.row]?.kind === 'FLAG') : null
    if (meaning === 'clear') set(at, null)
    else if (meaning === 'toggle') toggle(at)
    else if (meaning) edit(at, meaning.typed)
    return meaning !== null
  }

  /** Moves to the next cell; Tab also edits it. In the last cell, Tab only ends the edit. */
  function done(step: Step): void {
    const next = positionAfterEdit(active, step, size)
    const isOther = !isSamePosition(next, active)
    moveTo(next)
    if (isOther && (step === 'left' || step === 'right')) edit(next)
  }

  function onCancel(): void {
    cancel()
    moveTo(active)
  }

  const editor = { onChange: type, onDone: done, onCancel, onLeave: leave }
  return { box, active, editing, onClick, onFocus, onKeyDown, editor }
}

/** Whether the position is a cell, not a row or column header. */
function isCell({ row, column }: Position): boolean {
  return row >= 0 && column >= 0
}

function isSamePosition(one: Position, other: Position): boolean {
  return one.row === other.row && one.column === other.column
}

/** What a key does in a cell: empties it, switches a flag, or opens it with the typed character. */
function actionOfKey(
  { key, altKey, ctrlKey, metaKey }: KeyboardEvent,
  isFlag: boolean,
): 'clear' | 'toggle' | { typed?: string } | null {
  if (altKey || ctrlKey || metaKey) return null
  if (key === 'Delete' || key === 'Backspace') return 'clear'
  const opens = key === 'Enter' || key === ' '
  if (isFlag) return opens ? 'toggle' : null
  if (opens || key === 'F2') return {}
  return key.length === 1 ? { typed: key } : null
}

/** The position, moved to the last row or column if the matrix has become smaller. */
function clampPosition({ row, column }: Position, { rows, columns }: { rows: number; columns: number }): Position {
  return { row: Math.min(row, rows - 1), column: Math.min(column, columns - 1) }
}

/** Calls `onSight` with the position of the sought cell as soon as the cell is among the rows. */
function useSoughtCell(sought: Cell | null, { features, plans }: Cells, onSight: (at: Position) => void): void {
  // Runs after each render, because a filter may have hidden the row until now.
  useEffect(() => {
    const at = sought && findCell({ feature: sought.feature.key, plan: sought.plan.key }, { features, plans })
    if (at) onSight(at)
  })
}

/** Returns a function that focuses the active cell after the next render: its input or link, or else the cell itself. */
function useCellFocus(box: RefObject<HTMLDivElement | null>, { row, column }: Position): () => void {
  const isWanted = useRef(false)

  // Runs after each render, because the row may not have been rendered before.
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
