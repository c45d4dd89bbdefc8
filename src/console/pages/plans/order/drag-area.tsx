import { DndContext, MouseSensor, TouchSensor, useDraggable, useSensor, useSensors } from '@dnd-kit/core'
import { type ReactNode, type SyntheticEvent, use, useRef } from 'react'
import type { Side } from './positions-after-move.ts'
import type { Kind } from './save-positions.ts'
import { MovesContext } from './use-moves.ts'

const mouse = { activationConstraint: { distance: 6 } }
/** A finger that moves at once scrolls the page; a long press drags. */
const touch = { activationConstraint: { delay: 250, tolerance: 8 } }

/** Announces nothing: the message after the move is announced instead, and keyboard users move with the menu of each header. */
const noAnnouncement = () => undefined
const announcements = {
  onDragStart: noAnnouncement,
  onDragOver: noAnnouncement,
  onDragEnd: noAnnouncement,
  onDragCancel: noAnnouncement,
}

type Point = { x: number; y: number }

/**
 * Inside this area, a header with `data-move` can be dragged onto another header of the same kind, and is then moved beside it.
 */
export function DragArea({ children }: { children: ReactNode }) {
  const moves = use(MovesContext)
  const [dragged, over, pointer] = [useRef<HTMLElement>(null), useRef<HTMLElement>(null), useRef<Point>(null)]
  const sensors = useSensors(useSensor(MouseSensor, mouse), useSensor(TouchSensor, touch))

  function markDropTarget(head: HTMLElement | null): void {
    if (over.current !== head) over.current?.removeAttribute('data-drop')
    over.current = head
    if (head && pointer.current) head.dataset.drop = sideOf(head, pointer.current)
  }

  function finishDrag(): void {
    const [from, to] = [dragged.current?.dataset, over.current?.dataset]
    if (from && to) moves?.[from.move as Kind](from.moveKey ?? '', to.drop as Side, to.moveKey ?? '')
    markDropTarget(null)
  }

  return (
    <DndContext
      sensors={sensors}
      accessibility={{ announcements, screenReaderInstructions: { draggable: '' } }}
      // Headers are looked up in the document: a matrix has hundreds of them, rendered only while they are in sight.
      collisionDetection={({ pointerCoordinates }) => {
        pointer.current = pointerCoordinates
        return []
      }}
      onDragStart={({ activatorEvent }) => {
        dragged.current = headerOf(activatorEvent.target)
      }}
      onDragMove={() => markDropTarget(findTarget(dragged.current, pointer.current))}
      onDragEnd={finishDrag}
      onDragCancel={() => markDropTarget(null)}
    >
      {children}
    </DndContext>
  )
}

/** The props of the element that contains the headers, for use inside a `DragArea`. */
export function useDragHeaders() {
  const moves = use(MovesContext)
  const { setNodeRef, listeners = {} } = useDraggable({ id: 'heads' })
  const start = (name: string) => (event: SyntheticEvent) => {
    if (moves && headerOf(event.target)) listeners[name]?.(event)
  }
  return { ref: setNodeRef, onMouseDown: start('onMouseDown'), onTouchStart: start('onTouchStart') }
}

/** The row or column header at the point, if the dragged header may be dropped there. */
function findTarget(dragged: HTMLElement | null, point: Point | null): HTMLElement | null {
  const head = dragged && point && headerOf(document.elementFromPoint(point.x, point.y))
  return head && head.dataset.move === dragged.dataset.move && head !== dragged ? head : null
}

function sideOf(head: HTMLElement, { x, y }: Point): Side {
  const { left, top, width, height } = head.getBoundingClientRect()
  const isSecondHalf = head.dataset.move === 'plan' ? x > left + width / 2 : y > top + height / 2
  return isSecondHalf ? 'after' : 'before'
}

function headerOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-move]') : null
}
