import { Skeleton } from '@mantine/core'
import { Suspense, useEffect, useState } from 'react'
import { PageApiMenu } from '../../components/api/use-the-api.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Live } from '../../components/feedback/live.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { lazyComponent } from '../../frame/lazy-component.ts'
import { useMay } from '../../session/viewer.ts'
import { readUsage } from './api-examples.ts'
import { hasChecks, isIncomplete } from './first-steps.ts'
import { OverviewSections } from './overview-sections.tsx'
import { ProblemStrip } from './problem-strip.tsx'
import { useCounts, useDeliveries, useFirstSteps, useUsage, useWebhook } from './reads.ts'

export function OverviewPage() {
  const mayRead = useMay('org:read')
  return (
    <>
      <PageHeader
        title="Overview"
        description="The current state of this organization."
        actions={
          mayRead && (
            <>
              <OverviewLive />
              <PageApiMenu title="Reads the evals of this month" example={readUsage} />
            </>
          )
        }
      />
      {mayRead ? (
        <OverviewContent />
      ) : (
        <EmptyState title="Your role cannot see anything here">
          An evaluator can make checks, but cannot read anything else.
        </EmptyState>
      )}
    </>
  )
}

/** Shows that the page refreshes itself, unless a read fails. */
function OverviewLive() {
  const reads = [useCounts(), useUsage(), useDeliveries(), useWebhook()]
  return reads.some(({ error }) => error) ? null : <Live />
}

// Only new organizations see the checklist.
const Checklist = lazyComponent(() => import('./checklist.tsx'), 'Checklist')

/** Shows problems first, then the checklist until the first check, and the sections once they have something to show. */
function OverviewContent() {
  const [counts, usage] = [useCounts(), useUsage()]
  const [wasNew, setWasNew] = useState(false)
  const [isClosed, setClosed] = useState(false)
  const hasNothing = counts.data !== undefined && isIncomplete(counts.data.counts)
  const isNew = usage.data !== undefined && !hasChecks(usage.data)
  // The checklist stays after the first check, with its answer, until the person closes it or leaves the page.
  if (!wasNew && (hasNothing || isNew)) setWasNew(true)
  const hasSteps = wasNew && !isClosed
  const steps = useFirstSteps({ enabled: hasSteps })
  // Load the code while the data is read, not after it.
  useEffect(() => void (hasSteps && Checklist.preload()), [hasSteps])
  const isPending = [counts, usage, ...(hasSteps ? [steps] : [])].some(
    ({ data, error }) => data === undefined && !error,
  )
  const skeleton = <Skeleton height={280} mt={28} role="status" aria-label="Loading" />
  return (
    <>
      <ProblemStrip />
      {/* The sections wait for the checklist, which would push them down. */}
      {isPending ? (
        skeleton
      ) : (
        <Suspense fallback={skeleton}>
          {hasSteps && usage.data && <Checklist usage={usage.data} onClose={() => setClosed(true)} />}
          {!hasNothing && <OverviewSections />}
        </Suspense>
      )}
    </>
  )
}
