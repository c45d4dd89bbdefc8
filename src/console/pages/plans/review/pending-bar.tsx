import { Button, Group } from '@mantine/core'
import { useSlow } from '../../../components/feedback/use-slow.ts'
import { describeSubscribers, plural, sumOf } from '../count.ts'
import { countChanges, type Draft } from '../draft/draft.ts'
import type { Plan } from '../plan.ts'
import { DraftEffect } from './draft-effect.tsx'
import { isHarmless } from './reach.ts'
import classes from './review.module.css'
import type { PreviewOfPlan } from './use-previews.ts'

type Props = {
  draft: Draft
  plans: readonly Plan[]
  /** Of the plans whose changes the server has been asked about. */
  previews: ReadonlyMap<string, PreviewOfPlan>
  isContested: boolean
  isSaving: boolean
  onDiscard(): void
  onReview(): void
  onSave(): void
}

/** "3 changes on 2 plans, 540 subscribers": stays in sight below the matrix as long as there is a change. */
export function PendingBar(props: Props) {
  const { draft, plans, previews, isContested, isSaving, onDiscard, onReview, onSave } = props
  const isSlow = useSlow(isSaving)
  const answers = [...previews.values()]
  const isSafe = !isContested && answers.every(({ preview, error }) => (preview ? isHarmless(preview) : !error))
  const isKnown = answers.length === draft.size && answers.every(({ preview }) => preview !== undefined)
  return (
    <section aria-label="Changes that are not saved" className={classes.bar}>
      <div className={classes.words}>
        <div className={classes.sum} role="status">
          {describeDraft(draft, plans)}
        </div>
        <div className={classes.effect}>
          {isContested ? 'Choose between your change and your colleague’s first.' : <DraftEffect answers={answers} />}
        </div>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button variant="subtle" color="gray" onClick={onDiscard}>
          Discard
        </Button>
        <Button variant={isSafe ? 'default' : 'filled'} onClick={onReview}>
          Review
        </Button>
        {/* What takes something away is saved from the review only. */}
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
