import { Button, Group } from '@mantine/core'
import { useSlow } from '../../../components/feedback/use-slow.ts'
import { describeCount } from '../../../components/text/number.ts'
import { describeSubscribers, plural, sumOf } from '../count.ts'
import { countChanges, type Draft } from '../draft/draft.ts'
import type { Plan } from '../plan.ts'
import { isHarmless, isReduction } from './reach.ts'
import { Loss } from './reach-sentence.tsx'
import classes from './review.module.css'
import type { PreviewOfPlan } from './use-previews.ts'

type Props = {
  draft: Draft
  plans: readonly Plan[]
  /** The previews of those plans for which the server was asked. */
  previews: ReadonlyMap<string, PreviewOfPlan>
  isContested: boolean
  isSaving: boolean
  onDiscard(): void
  onReview(): void
  onSave(): void
}

/** "3 changes on 2 plans, 540 subscribers": stays in sight below the matrix while there is a change. */
export function PendingBar(props: Props) {
  const { draft, plans, previews, isContested, isSaving, onDiscard, onReview, onSave } = props
  const isSlow = useSlow(isSaving)
  const answers = [...previews.values()]
  const isSafe = !isContested && answers.every(({ preview, error }) => (preview ? isHarmless(preview) : !error))
  const isKnown = answers.length === draft.size && answers.every(({ preview }) => preview !== undefined)
  return (
    <section aria-label="Unsaved changes" className={classes.bar}>
      <div className={classes.words}>
        <div className={classes.sum} role="status">
          {describeDraft(draft, plans)}
        </div>
        <div className={classes.effect}>
          {isContested ? 'First choose between your change and your colleague’s.' : <DraftEffect answers={answers} />}
        </div>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button variant="subtle" color="gray" onClick={onDiscard}>
          Discard
        </Button>
        <Button variant={isSafe ? 'default' : 'filled'} onClick={onReview}>
          Review
        </Button>
        {/* Reductions are saved from the review only. */}
        {isSafe && (
          <Button onClick={onSave} loading={isSlow} disabled={!isKnown}>
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

/** One line: the refusal; else the first loss and the number of further ones; else that nobody loses anything. */
function DraftEffect({ answers }: { answers: readonly PreviewOfPlan[] }) {
  const previews = answers.flatMap(({ preview }) => (preview ? [preview] : []))
  const problem = previews.flatMap(({ problems }) => problems)[0]
  if (problem) return <span className={classes.loses}>{problem.message}</span>

  const losses = previews.flatMap((preview) =>
    preview.changes.filter(isReduction).map((change) => ({ change, subscribers: preview.subscribers })),
  )
  if (losses[0]) {
    return (
      <span className={classes.loses}>
        <Loss {...losses[0]} />
        {losses.length > 1 && ` Plus ${plural(losses.length - 1, 'more reduction')}.`}
      </span>
    )
  }

  if (previews.length === 0) return null
  const kept = sumOf(previews.flatMap(({ changes }) => changes.map(({ hiddenByOverride }) => hiddenByOverride)))
  if (kept.value === 0) return 'Nobody loses anything.'
  const isOne = kept.isExact && kept.value === 1
  return `Nobody loses anything; ${describeCount(kept)} ${isOne ? 'override stays' : 'overrides stay'} in force.`
}
