import { Button, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ApiExampleFold } from '../../../components/api/api-example-fold.tsx'
import type { ApiExample } from '../../../components/api/api-examples.ts'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { StateBadge } from '../../../components/text/state-badge.tsx'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { describeSubscribers } from '../count.ts'
import type { Plan } from '../plan.ts'
import { ChangeList } from './change-list.tsx'
import { describeProblem } from './describe-problem.ts'
import classes from './review.module.css'
import type { PreviewOfPlan } from './use-previews.ts'

type Props = {
  plan: Plan
  preview: PreviewOfPlan | undefined
  /** Why the server refused to save this plan. */
  refusal: Error | null
  /** Whether the person has to choose between their change and a colleague's. */
  isContested: boolean
  /** The API request that makes the same save. */
  example: ApiExample
  onDiscard(): void
}

/** One plan of the draft: the subscribers that its changes affect, and the server's answer. */
export function PlanReview({ plan, preview: answer, refusal, isContested, example, onDiscard }: Props) {
  const organizationId = useOrganizationId()
  const preview = answer?.preview
  const error = refusal ?? answer?.error
  return (
    <section aria-label={plan.name} className={classes.plan}>
      <header className={classes.head}>
        <h3 className={classes.title}>{plan.name}</h3>
        {plan.archivedAt && <StateBadge tone="neutral">archived</StateBadge>}
        <span className={classes.count}>
          {preview && (
            <Link to="/o/$organizationId/subscribers" params={{ organizationId }} search={{ plan: plan.key }}>
              {describeSubscribers(preview.subscribers)}
            </Link>
          )}
        </span>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-label={`Discard the changes on ${plan.name}`}
          onClick={onDiscard}
        >
          Discard
        </Button>
      </header>
      {preview && <ChangeList plan={plan} preview={preview} />}
      {preview && preview.problems.length > 0 && (
        <div role="alert" className={classes.problems}>
          {preview.problems.map((problem) => (
            <p key={problem.path}>{describeProblem(problem)}</p>
          ))}
        </div>
      )}
      {isContested && <p className={classes.note}>First choose between your change and your colleague’s.</p>}
      {!preview && !error && !isContested && <Skeleton height={52} />}
      {error && !isContested && <ErrorPanel error={error} />}
      <ApiExampleFold example={example} />
    </section>
  )
}
