import { useSortable } from '@dnd-kit/sortable'
import { ActionIcon } from '@mantine/core'
import { CrossIcon, DragIcon } from '../../components/icons/actions.tsx'
import classes from './option-row.module.css'

export function OptionRow({ option, onRemove }: { option: string; onRemove(): void }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id: option })
  const moved = transform ? `translateY(${transform.y}px)` : undefined
  return (
    <div ref={setNodeRef} className={classes.row} style={{ transform: moved, transition }}>
      <ActionIcon variant="subtle" color="gray" aria-label={`Move ${option}`} {...attributes} {...listeners}>
        <DragIcon size={16} />
      </ActionIcon>
      <span className={classes.option}>{option}</span>
      <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${option}`} onClick={onRemove}>
        <CrossIcon size={14} />
      </ActionIcon>
    </div>
  )
}
