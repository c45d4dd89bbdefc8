import { describeCount } from '../../../components/text/number.ts'
import { plural, sumOf } from '../count.ts'
import { isReduction } from './reach.ts'
import { Loss } from './reach-sentence.tsx'
import classes from './review.module.css'
import type { PreviewOfPlan } from './use-previews.ts'

/** One line: what would be refused; else the first loss and the number of others; else that nobody loses anything. */
export function DraftEffect({ answers }: { answers: readonly PreviewOfPlan[] }) {
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
        {losses.length > 1 && ` And ${plural(losses.length - 1, 'more reduction')}.`}
      </span>
    )
  }

  if (previews.length === 0) return null
  const kept = sumOf(previews.flatMap(({ changes }) => changes.map(({ hiddenByOverride }) => hiddenByOverride)))
  if (kept.value === 0) return 'Nobody loses anything.'
  const isOne = kept.isExact && kept.value === 1
  return `Nobody loses anything; ${describeCount(kept)} ${isOne ? 'override stays' : 'overrides stay'} in force.`
}
