import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'
import { usePrinting } from './use-printing.ts'

/** A table with more rows renders only those in sight. */
const maxRowsDrawnAtOnce = 100
const rowHeight = 36

type VisibleRows<Row> = { visible: { row: Row; index: number }[]; before: number; after: number }

/** The rows in sight, and the height of the rows above and below them. */
export function useVisibleRows<Row>(table: RefObject<HTMLTableElement | null>, rows: readonly Row[]): VisibleRows<Row> {
  const isLong = rows.length > maxRowsDrawnAtOnce
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    if (isLong && table.current) setTop(table.current.getBoundingClientRect().top + window.scrollY)
  }, [isLong, table])

  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 20,
    scrollMargin: top,
    enabled: isLong,
    // A list that becomes long, by "Show more", keeps its scroll position.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  })
  const isPrinting = usePrinting()
  if (!isLong || isPrinting) return { visible: rows.map((row, index) => ({ row, index })), before: 0, after: 0 }

  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  return {
    visible: items.map(({ index }) => ({ row: rows[index] as Row, index })),
    before: first ? first.start - top : 0,
    after: last ? virtualizer.getTotalSize() - (last.end - top) : 0,
  }
}
