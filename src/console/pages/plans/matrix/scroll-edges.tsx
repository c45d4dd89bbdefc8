import { type CSSProperties, type ReactNode, type RefObject, useEffect, useState } from 'react'
import classes from './matrix.module.css'

type Props = { box: RefObject<HTMLElement | null>; style: CSSProperties; children: ReactNode }

/** Fades the edges of a box that can scroll further, because a box that ends between two rows looks complete. */
export function ScrollEdges({ box, style, children }: Props) {
  const { below, right } = useHiddenEdges(box)
  return (
    <div className={classes.edges} style={style} data-more-below={below} data-more-right={right}>
      {children}
    </div>
  )
}

type HiddenEdges = { below: boolean; right: boolean }

function useHiddenEdges(box: RefObject<HTMLElement | null>): HiddenEdges {
  const [more, setMore] = useState<HiddenEdges>({ below: false, right: false })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measureEdges = () => {
      const next = measureHiddenEdges(element)
      setMore((old) => (old.below === next.below && old.right === next.right ? old : next))
    }
    const observer = new ResizeObserver(measureEdges)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', measureEdges, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measureEdges)
    }
  }, [box])
  return more
}

function measureHiddenEdges(element: HTMLElement): HiddenEdges {
  const { scrollTop, scrollLeft, scrollHeight, scrollWidth, clientHeight, clientWidth } = element
  return { below: scrollHeight - clientHeight - scrollTop > 1, right: scrollWidth - clientWidth - scrollLeft > 1 }
}
