import { PageApi } from '../../components/api/use-the-api.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Live } from '../../components/feedback/live.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { useMay } from '../../session/viewer.ts'
import { readUsage } from './api-examples.ts'
import { OverviewContent } from './overview-content.tsx'
import { useCounts, useDeliveries, useUsage, useWebhook } from './reads.ts'

export function OverviewPage() {
  const mayRead = useMay('org:read')
  return (
    <>
      <PageHeader
        title="Overview"
        description="How this organization stands right now."
        actions={
          mayRead && (
            <>
              <OverviewLive />
              <PageApi title="Reads the evals of this month" example={readUsage} />
            </>
          )
        }
      />
      {mayRead ? (
        <OverviewContent />
      ) : (
        <EmptyState title="There is nothing here for your role">
          An evaluator makes checks, and reads nothing else.
        </EmptyState>
      )}
    </>
  )
}

/** Says that the page refreshes itself, unless a read fails. */
function OverviewLive() {
  const reads = [useCounts(), useUsage(), useDeliveries(), useWebhook()]
  return reads.some(({ error }) => error) ? null : <Live />
}
