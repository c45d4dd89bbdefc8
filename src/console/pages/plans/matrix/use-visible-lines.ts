import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { usePrinting } from '../../../components/table/use-printing.ts'
import type { Line } from './rows.ts'

/** A matrix with at most this many lines renders all of them. */
const maxLinesDrawnAtOnce = 60
const lineHeight = 36
const headerHeight = 52

type Visible = {
  lines: { line: Line; index: number }[]
  /** The heights of the lines that are not rendered, above and below the rendered ones. */
  before: number
  after: number
  /** Scrolls to a feature's line. */
  reveal(row: number): void
}

/** The lines that are in sight in the matrix's own scroll box. */
export function useVisibleLines(box: RefObject<HTMLDivElement | null>, lines: readonly Line[]): Visible {
  const isLong = lines.length > maxLinesDrawnAtOnce
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    overscan: 10,
    scrollMargin: headerHeight,
    scrollPaddingStart: headerHeight,
    enabled: isLong,
    // Draw the first lines at once, without waiting until the box is measured.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  })
  const isPrinting = usePrinting()
  if (!isLong || isPrinting) {
    return { lines: lines.map((line, index) => ({ line, index })), before: 0, after: 0, reveal: () => {} }
  }

  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  return {
    lines: items.map(({ index }) => ({ line: lines[index] as Line, index })),
    before: first ? first.start - headerHeight : 0,
    after: last ? virtualizer.getTotalSize() - (last.end - headerHeight) : 0,
    reveal(row) {
      const index = lines.findIndex((line) => 'row' in line && line.row === row)
      if (index !== -1) virtualizer.scrollToIndex(index)
    },
  }
}
