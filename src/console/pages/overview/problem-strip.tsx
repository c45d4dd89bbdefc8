import { Skeleton } from '@mantine/core'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { DoneIcon } from '../../components/icons/actions.tsx'
import { useNow } from '../../components/text/use-now.ts'
import { useMay } from '../../session/viewer.ts'
import { ProblemRow } from './problem-row.tsx'
import classes from './problem-strip.module.css'
import { findProblems, type Problem } from './problems.ts'
import { useCounts, useDeliveries, useUnusedKeys, useUsage, useWebhook } from './reads.ts'

/** Shows the current problems, or says that there are none once everything has been read. */
export function ProblemStrip() {
  const now = useNow()
  const maySeeWebhook = useMay('webhooks:read')
  const maySeeAccounts = useMay('service-accounts:read')
  const [counts, usage, deliveries, webhook] = [useCounts(), useUsage(), useDeliveries(), useWebhook()]
  const unusedKeys = useUnusedKeys()
  const reads = [
    ...[counts, usage],
    ...(maySeeWebhook ? [deliveries, webhook] : []),
    ...(maySeeAccounts ? [unusedKeys] : []),
  ]

  const failed = reads.find(({ error }) => error)
  // Problems are shown all at once: a later row would move a link that someone is about to click.
  const isSettled = reads.every(({ data, error }) => data !== undefined || error)
  const problems = findProblems({
    webhook: webhook.data,
    deliveries: deliveries.data,
    usage: usage.data,
    counts: counts.data,
    unusedKeys: unusedKeys.data,
    now,
  })

  return (
    <section aria-label="Current problems" aria-live="polite" data-part>
      {failed?.error && (
        <ErrorPanel
          error={failed.error}
          retry={() => {
            for (const read of reads) if (read.error) void read.refetch()
          }}
        />
      )}
      {!isSettled && <Skeleton height={40} />}
      {isSettled && problems.length > 0 && (
        <ul className={classes.strip}>
          {[...problems, ...(maySeeWebhook ? [] : [hiddenDeliveries])].map((problem) => (
            <ProblemRow key={problem.id} problem={problem} />
          ))}
        </ul>
      )}
      {isSettled && problems.length === 0 && !failed && <NoProblems maySeeWebhook={maySeeWebhook} />}
    </section>
  )
}

/** Shown after the other problems, to roles that cannot see deliveries. */
const hiddenDeliveries: Problem = {
  id: 'hidden-deliveries',
  tone: 'neutral',
  what: 'Your role cannot see whether deliveries work',
  remedy: 'A developer or an admin sees them.',
}

function NoProblems({ maySeeWebhook }: { maySeeWebhook: boolean }) {
  return (
    <p className={classes.well}>
      <span className={classes.sign}>
        <DoneIcon size={16} />
      </span>
      {maySeeWebhook
        ? 'Nothing is wrong.'
        : 'Nothing is wrong with evals. Your role cannot see whether deliveries work.'}
    </p>
  )
}
