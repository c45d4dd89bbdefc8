import { Button, Group } from '@mantine/core'
import { useIsSlow } from '../../../components/feedback/use-is-slow.ts'
import { describeCount } from '../../../components/text/number.ts'
import { describeSubscribers, plural, sumOf } from '../count.ts'
import { countChanges, type Draft } from '../draft/draft.ts'
import { describeInvalid, type InvalidCell } from '../draft/invalid-cells.ts'
import type { Plan } from '../plan.ts'
import { describeProblem } from './describe-problem.ts'
import { isAltered, isHarmless, isReduction } from './reach.ts'
import { GainSentence, LossSentence } from './reach-sentence.tsx'
import classes from './review.module.css'
import type { PreviewOfPlan } from './use-previews.ts'

type Props = {
  draft: Draft
  plans: readonly Plan[]
  /** The server's previews by plan key. Plans whose preview was not requested are missing. */
  previews: ReadonlyMap<string, PreviewOfPlan>
  isContested: boolean
  /** The cells with an invalid text. */
  invalid: readonly InvalidCell[]
  isSaving: boolean
  onDiscard(): void
  onReview(): void
  onSave(): void
  onOpen(cell: InvalidCell): void
}

/**
 * A bar that stays in sight below the matrix while there are changes. It sums them up: "3 changes on 2 plans, 540 subscribers".
 */
export function PendingBar(props: Props) {
  const { draft, plans, previews, isContested, invalid, isSaving, onDiscard, onReview, onSave, onOpen } = props
  const isSlow = useIsSlow(isSaving)
  const answers = [...previews.values()]
  const isSafe = !isContested && answers.every(({ preview, error }) => (preview ? isHarmless(preview) : !error))
  const [firstInvalid] = invalid
  const hasAllPreviews = answers.length === draft.size && answers.every(({ preview }) => preview !== undefined)
  return (
    <section aria-label="Unsaved changes" className={classes.bar}>
      <div className={classes.words}>
        <div className={classes.sum} role="status">
          Not saved yet: {draft.size > 0 ? describeDraft(draft, plans) : plural(invalid.length, 'invalid value')}
        </div>
        <div className={classes.effect}>
          {firstInvalid ? (
            <span className={classes.loses}>{describeInvalid(firstInvalid)}</span>
          ) : isContested ? (
            'First choose between your change and your colleague’s.'
          ) : (
            <DraftEffect answers={answers} />
          )}
        </div>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button variant="subtle" color="gray" onClick={onDiscard}>
          Discard
        </Button>
        {firstInvalid && draft.size === 0 && (
          <Button variant="default" onClick={() => onOpen(firstInvalid)}>
            Go to the cell
          </Button>
        )}
        {draft.size > 0 && (
          <Button variant={isSafe ? 'default' : 'filled'} onClick={onReview}>
            Review
          </Button>
        )}
        {/* Reductions can be saved only in the review. */}
        {isSafe && draft.size > 0 && (
          <Button onClick={onSave} loading={isSlow} disabled={!hasAllPreviews && !firstInvalid}>
            Save
          </Button>
        )}
      </Group>
    </section>
  )
}

export function describeDraft(draft: Draft, plans: readonly Plan[]): string {
  const counts = plans.flatMap((plan) => (draft.has(plan.key) && plan.subscriberCount ? [plan.subscriberCount] : []))
  const changes = `${plural(countChanges(draft), 'change')} on ${plural(draft.size, 'plan')}`
  return counts.length === 0 ? changes : `${changes}, ${describeSubscribers(sumOf(counts))}`
}

/**
 * Shows one line: the reason why the server would refuse the draft; otherwise the first loss, or else the first config that
 * gets another value, with the number of further ones; and if there is neither, that nobody loses anything.
 */
function DraftEffect({ answers }: { answers: readonly PreviewOfPlan[] }) {
  const previews = answers.flatMap(({ preview }) => (preview ? [preview] : []))
  const problem = previews.flatMap(({ problems }) => problems)[0]
  if (problem) return <span className={classes.loses}>{describeProblem(problem)}</span>

  const reached = answers.flatMap(({ planKey, preview }) =>
    preview ? preview.changes.map((change) => ({ change, planKey, subscribers: preview.subscribers })) : [],
  )
  const losses = reached.filter(({ change }) => isReduction(change))
  if (losses[0]) {
    return (
      <span className={classes.loses}>
        <LossSentence {...losses[0]} />
        {losses.length > 1 && ` Plus ${plural(losses.length - 1, 'more reduction')}.`}
      </span>
    )
  }

  if (previews.length === 0) return null
  const altered = reached.filter(({ change }) => isAltered(change))
  if (altered[0]) {
    return (
      <>
        <GainSentence {...altered[0]} />
        {altered.length > 1 && ` Plus ${plural(altered.length - 1, 'more config')}.`}
      </>
    )
  }

  const kept = sumOf(previews.flatMap(({ changes }) => changes.map(({ hiddenByOverride }) => hiddenByOverride)))
  if (kept.value === 0) return 'Nobody loses anything.'
  const isOne = kept.isExact && kept.value === 1
  return `Nobody loses anything; ${describeCount(kept)} ${isOne ? 'override stays' : 'overrides stay'} in force.`
}
