import type { KeyboardEvent } from 'react'

/** A cell of the matrix. Row -1 is the header with the plans, and column -1 has the features. */
export type Position = { row: number; column: number }

/** The direction in which the focus leaves an edited cell. */
export type Step = 'down' | 'up' | 'right' | 'left' | 'stay'

type Size = { rows: number; columns: number }

const pageOfRows = 10

/** The position of the cell that contains the element. */
export function readPosition(target: EventTarget): Position | null {
  const text = target instanceof Element ? target.closest<HTMLElement>('[data-cell]')?.dataset.cell : undefined
  if (text === undefined) return null
  const [row, column] = text.split(':').map(Number) as [number, number]
  return { row, column }
}

/** The position after a key press in a cell that is not being edited; null if the key does not move the focus. */
export function positionAfterKey(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  { row, column }: Position,
  size: Size,
): Position | null {
  const jumps = ctrlKey || metaKey
  switch (key) {
    case 'ArrowDown':
      return clamp({ row: row + 1, column }, size)
    case 'ArrowUp':
      return clamp({ row: row - 1, column }, size)
    case 'ArrowRight':
      return clamp({ row, column: column + 1 }, size)
    case 'ArrowLeft':
      return clamp({ row, column: column - 1 }, size)
    case 'PageDown':
      return clamp({ row: row + pageOfRows, column }, size)
    case 'PageUp':
      return clamp({ row: Math.max(row - pageOfRows, 0), column }, size)
    case 'Home':
      return clamp({ row: jumps ? 0 : row, column: 0 }, size)
    case 'End':
      return clamp({ row: jumps ? size.rows - 1 : row, column: size.columns - 1 }, size)
    default:
      return null
  }
}

/**
 * The position after an edit. From the end of a row, `right` continues in the next row; from the start of a row, `left`
 * continues in the previous row.
 */
export function positionAfterEdit({ row, column }: Position, step: Step, size: Size): Position {
  switch (step) {
    case 'down':
      return clamp({ row: row + 1, column }, size)
    case 'up':
      return clamp({ row: Math.max(row - 1, 0), column }, size)
    case 'right':
      if (column + 1 < size.columns) return { row, column: column + 1 }
      return row + 1 < size.rows ? { row: row + 1, column: 0 } : { row, column }
    case 'left':
      if (column > 0) return { row, column: column - 1 }
      return row > 0 ? { row: row - 1, column: size.columns - 1 } : { row, column }
    case 'stay':
      return { row, column }
  }
}

/** Keeps the position inside the matrix, and out of the corner where the row and column headers meet. */
function clamp({ row, column }: Position, { rows, columns }: Size): Position {
  const inside = { row: Math.min(Math.max(row, -1), rows - 1), column: Math.min(Math.max(column, -1), columns - 1) }
  return inside.row === -1 && inside.column === -1 ? { row: 0, column: -1 } : inside
}
