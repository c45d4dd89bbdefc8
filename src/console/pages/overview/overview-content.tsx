import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { hasChecks, isEmpty } from './first-steps.ts'
import { OverviewSections } from './overview-sections.tsx'
import { useCounts, useUsage } from './reads.ts'
import { TroubleStrip } from './trouble-strip.tsx'

// Only new organizations see it.
const Checklist = lazyComponent(() => import('./checklist.tsx'), 'Checklist')

/** What is wrong first; then the checklist until the first check, and the sections once there is something to show. */
export function OverviewContent() {
  const [counts, usage] = [useCounts(), useUsage()]
  const isPending = [counts, usage].some(({ data, error }) => data === undefined && !error)
  const hasNothing = counts.data !== undefined && isEmpty(counts.data.counts)
  const isNew = usage.data !== undefined && !hasChecks(usage.data)
  return (
    <>
      <TroubleStrip />
      {isPending && <Skeleton height={280} mt={28} role="status" aria-label="Loading" />}
      {counts.data && usage.data && (hasNothing || isNew) && (
        <Suspense fallback={<Skeleton height={330} mt={28} />}>
          <Checklist counts={counts.data.counts} usage={usage.data} />
        </Suspense>
      )}
      {!isPending && !hasNothing && <OverviewSections />}
    </>
  )
}
