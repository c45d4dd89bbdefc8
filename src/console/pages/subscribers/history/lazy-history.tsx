import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import type { Change } from '../../../components/history/changes.ts'
import { lazyComponent } from '../../../frame/lazy-component.ts'

const Tab = lazyComponent(() => import('./history-tab.tsx'), 'HistoryTab')
const Lines = lazyComponent(() => import('./change-lines.tsx'), 'ChangeLines')
const Changes = lazyComponent(() => import('./feature-changes.tsx'), 'FeatureChanges')

/** The history tab, whose code is loaded when the tab is opened. */
export function HistoryTab() {
  return (
    <Suspense fallback={<Skeleton height={200} />}>
      <Tab />
    </Suspense>
  )
}

/** The newest changes of one feature, for its drawer. */
export function FeatureHistory({ feature }: { feature: string }) {
  return (
    <Suspense fallback={<Skeleton height={72} />}>
      <Changes feature={feature} />
    </Suspense>
  )
}

/** The changes of one line of the story. */
export function ChangeLines(props: { changes: readonly Change[]; label: string; mayRevert: boolean }) {
  return (
    <Suspense fallback={<Skeleton height={72} />}>
      <Lines {...props} />
    </Suspense>
  )
}
