import { Tooltip } from '@mantine/core'
import { formatExact, formatRelative } from '../../../components/text/format-time.ts'
import { SourceBadge } from '../../../components/text/source-badge.tsx'
import { useNow } from '../../../components/text/use-now.ts'
import type { Loss } from '../history/losses.ts'
import type { ExplainedFeature } from './explained.ts'
import classes from './why.module.css'
import { describeScheduledOverride, describeValueAfter, describeWhy } from './wording.ts'

type Props = { feature: ExplainedFeature; planName: string | null; loss: Loss | undefined }

/**
 * Shows the source and reason in one sentence and, below it, the cause of a loss, an override that starts later, the value
 * after the override, and the note.
 */
export function Why({ feature, planName, loss }: Props) {
  const now = useNow()
  const { entitlement, override, scheduled } = feature
  const after = describeValueAfter(feature, planName, now)
  return (
    <div className={classes.why}>
      <div>
        <SourceBadge source={entitlement.source} />
        <span aria-hidden="true"> · </span>
        {override?.expiresAt ? (
          <Tooltip label={formatExact(new Date(override.expiresAt))}>
            <span data-hint>{describeWhy(feature, planName, now)}</span>
          </Tooltip>
        ) : (
          <span>{describeWhy(feature, planName, now)}</span>
        )}
      </div>
      {loss && (
        <div className={classes.loss}>
          <Tooltip label={`${formatRelative(new Date(loss.at), now)}, ${formatExact(new Date(loss.at))}`}>
            <span data-hint>{loss.text}</span>
          </Tooltip>
        </div>
      )}
      {scheduled?.startsAt && (
        <div className={classes.loss}>
          <Tooltip label={formatExact(new Date(scheduled.startsAt))}>
            <span data-hint>{describeScheduledOverride(scheduled, now)}</span>
          </Tooltip>
        </div>
      )}
      {(after || override?.note) && (
        <div className={classes.more}>
          {after && override?.expiresAt && (
            <Tooltip label={formatExact(new Date(override.expiresAt))}>
              <span data-hint>{after}</span>
            </Tooltip>
          )}
          {override?.note && <span className={classes.note}>“{override.note}”</span>}
        </div>
      )}
    </div>
  )
}
