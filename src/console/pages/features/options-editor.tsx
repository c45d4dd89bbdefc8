import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { arrayMove, SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { Button, Group, Input, Stack, TextInput } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { OptionRow } from './option-row.tsx'

export type OptionsEditorProps = { value?: string[]; onChange?: (options: string[]) => void; error?: ReactNode }

/** The options of an enum in their display order, changed by dragging or by keyboard. */
export function OptionsEditor({ value: options = [], onChange, error }: OptionsEditorProps) {
  const [text, setText] = useState('')
  const sensors = useSensors(
    useSensor(PointerSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )

  function add(): void {
    if (text === '' || options.includes(text)) return
    onChange?.([...options, text])
    setText('')
  }

  function addOnEnter(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }

  function move({ active, over }: DragEndEvent): void {
    if (!over || active.id === over.id) return
    onChange?.(arrayMove(options, options.indexOf(String(active.id)), options.indexOf(String(over.id))))
  }

  return (
    <Input.Wrapper label="Options" description="In the order in which they are shown." error={error} labelElement="div">
      <Stack gap={4} mt={6}>
        <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={move}>
          <SortableContext items={options} strategy={verticalListSortingStrategy}>
            {options.map((option) => (
              <OptionRow
                key={option}
                option={option}
                onRemove={() => onChange?.(options.filter((each) => each !== option))}
              />
            ))}
          </SortableContext>
        </DndContext>
        <Group gap="xs" wrap="nowrap">
          <TextInput
            aria-label="New option"
            placeholder="New option"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={addOnEnter}
            flex={1}
          />
          <Button variant="default" onClick={add}>
            Add
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}
