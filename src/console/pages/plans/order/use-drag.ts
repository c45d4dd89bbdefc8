import { type DragEvent, use, useRef } from 'react'
import type { Side } from './place.ts'
import type { Kind } from './save-positions.ts'
import { MovesContext } from './use-moves.ts'

type Dragged = { kind: Kind; key: string }

/** The attributes of a head that can be dragged, and onto which others of its kind are dropped. */
export function draggable(kind: Kind, key: string) {
  return { draggable: true, 'data-move': kind, 'data-move-key': key }
}

/** Handlers for the matrix: a head that is dropped onto another takes its place. */
export function useDrag() {
  const moves = use(MovesContext)
  const dragged = useRef<Dragged | null>(null)
  const over = useRef<HTMLElement | null>(null)

  function mark(head: HTMLElement | null, side?: Side): void {
    if (over.current !== head) over.current?.removeAttribute('data-drop')
    over.current = head
    if (head && side) head.dataset.drop = side
  }

  /** The head under the pointer, if what is dragged may be dropped there. */
  function findTarget({ target, clientX, clientY }: DragEvent): { head: HTMLElement; side: Side } | null {
    const { kind, key } = dragged.current ?? {}
    const head = headOf(target)
    if (!head || head.dataset.move !== kind || head.dataset.moveKey === key) return null
    const { left, top, width, height } = head.getBoundingClientRect()
    const isLater = kind === 'plan' ? clientX > left + width / 2 : clientY > top + height / 2
    return { head, side: isLater ? 'after' : 'before' }
  }

  return {
    onDragStart(event: DragEvent): void {
      const head = moves && headOf(event.target)
      if (!head) return
      dragged.current = { kind: head.dataset.move as Kind, key: head.dataset.moveKey ?? '' }
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', dragged.current.key)
    },
    onDragOver(event: DragEvent): void {
      const found = findTarget(event)
      mark(found?.head ?? null, found?.side)
      if (found) event.preventDefault()
    },
    onDrop(event: DragEvent): void {
      const found = findTarget(event)
      if (!found || !dragged.current) return
      event.preventDefault()
      moves?.[dragged.current.kind](dragged.current.key, found.side, found.head.dataset.moveKey ?? '')
    },
    onDragEnd(): void {
      mark(null)
      dragged.current = null
    },
  }
}

function headOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-move]') : null
}
