import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { lazyComponent } from '../../frame/lazy-component.ts'
import type { OptionsEditorProps } from './options-editor.tsx'

const Editor = lazyComponent(() => import('./options-editor.tsx'), 'OptionsEditor')

/** Only enums have options: the code for dragging is loaded with the first of them. */
export function OptionsEditor(props: OptionsEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={84} />}>
      <Editor {...props} />
    </Suspense>
  )
}
