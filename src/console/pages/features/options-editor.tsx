import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { ActionIcon, Button, Group, Input, Stack } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { CrossIcon, DragIcon } from '../../components/icons/actions.tsx'
import classes from './option-row.module.css'

export type OptionsEditorProps = { value?: string[]; onChange?: (options: string[]) => void; error?: ReactNode }

/**
 * The options of an enum in their display order, changed by dragging or by keyboard. An option that is still being typed is
 * the last one of the value, so that a save includes it.
 */
export function OptionsEditor({ value = [], onChange, error }: OptionsEditorProps) {
  const [typed, setTyped] = useState('')
  const isTyping = typed !== '' && value.at(-1) === typed
  const text = isTyping ? typed : ''
  const options = isTyping ? value.slice(0, -1) : value
  const sensors = useSensors(
    useSensor(PointerSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )

  function change(added: string[], next = text): void {
    setTyped(next)
    onChange?.(next === '' ? added : [...added, next])
  }

  function add(): void {
    if (!options.includes(text)) setTyped('')
  }

  function addOnEnter(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }

  function move({ active, over }: DragEndEvent): void {
    if (!over || active.id === over.id) return
    change(arrayMove(options, options.indexOf(String(active.id)), options.indexOf(String(over.id))))
  }

  return (
    <Input.Wrapper label="Options" description="In the order in which they are shown." error={error} labelElement="div">
      <Stack gap={4} mt={6} mb={error ? 6 : 0}>
        <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={move}>
          <SortableContext items={options} strategy={verticalListSortingStrategy}>
            {options.map((option) => (
              <OptionRow
                key={option}
                option={option}
                onRemove={() => change(options.filter((each) => each !== option))}
              />
            ))}
          </SortableContext>
        </DndContext>
        <Group gap="xs" wrap="nowrap">
          <Input
            aria-label="New option"
            error={Boolean(error)}
            placeholder="New option"
            value={text}
            onChange={(event) => change(options, event.currentTarget.value)}
            onKeyDown={addOnEnter}
            flex={1}
            my={0}
          />
          <Button variant="default" onClick={add}>
            Add
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}

function OptionRow({ option, onRemove }: { option: string; onRemove(): void }) {
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
