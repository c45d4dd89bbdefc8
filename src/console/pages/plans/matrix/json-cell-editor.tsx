import { Button, Drawer, Text } from '@mantine/core'
import { type KeyboardEvent, useRef } from 'react'
import { DrawerActions } from '../../../components/form/drawer-actions.tsx'
import { JsonInput } from '../../../components/form/json-input.tsx'
import type { Feature } from '../plan.ts'
import type { EditorProps } from './cell-editor.tsx'
import { parseCellText } from './cell-text.ts'

type Props = Omit<EditorProps, 'selects'> & { feature: Feature }

/** The editor of a cell with JSON. Closing the drawer keeps the text, as leaving a cell does. */
export function JsonCellEditor({ feature, planName, text, onChange, onDone, onCancel, onLeave }: Props) {
  const content = useRef<HTMLDivElement>(null)
  const parsed = parseCellText(feature, text)
  const problem = 'problem' in parsed ? parsed.problem : null

  function apply(): void {
    if (!problem) onDone('stay')
    else content.current?.querySelector('textarea')?.focus()
  }

  function close(): void {
    onLeave()
    onDone('stay')
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    apply()
  }

  return (
    <Drawer opened onClose={close} title={`${feature.name} on ${planName}`} size="xl">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the input inside. */}
      <div ref={content} onKeyDown={onKeyDown}>
        <Text c="dimmed" mb="sm">
          Without text, the plan does not grant it. Ctrl Enter applies the value.
        </Text>
        <JsonInput label="JSON" value={text} error={problem} onChange={onChange} around="17rem" data-autofocus />
        <DrawerActions>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button onClick={apply}>Apply</Button>
        </DrawerActions>
      </div>
    </Drawer>
  )
}
