import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { lazyComponent } from '../../frame/lazy-component.ts'
import type { OptionsEditorProps } from './options-editor.tsx'

const Editor = lazyComponent(() => import('./options-editor.tsx'), 'OptionsEditor')

/** Only enums have options, so the editor, with its code for dragging, is loaded when the first enum is edited. */
export function OptionsEditor(props: OptionsEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={84} />}>
      <Editor {...props} />
    </Suspense>
  )
}
