import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'
import { usePrinting } from './use-printing.ts'

/** A table with more rows renders only those in sight. */
const maxRowsDrawnAtOnce = 100
const rowHeight = 36

type VisibleRows<Row> = {
  visible: { row: Row; index: number }[]
  before: number
  after: number
  /** The `ref` of each row: on a phone, rows differ in height. */
  measure?: (row: HTMLTableRowElement | null) => void
}

/** The rows in sight, and the height of the rows above and below them. */
export function useVisibleRows<Row>(table: RefObject<HTMLTableElement | null>, rows: readonly Row[]): VisibleRows<Row> {
  const isLong = rows.length > maxRowsDrawnAtOnce
  const [{ top, height }, setLayout] = useState({ top: 0, height: rowHeight })
  useLayoutEffect(() => {
    if (!isLong || !table.current) return
    const { offsetHeight = rowHeight } = table.current.querySelector<HTMLElement>('[data-index]') ?? {}
    setLayout({ top: table.current.getBoundingClientRect().top + window.scrollY, height: offsetHeight })
  }, [isLong, table])

  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
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
    measure: virtualizer.measureElement,
  }
}
