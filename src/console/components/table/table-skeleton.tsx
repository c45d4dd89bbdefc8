import { Skeleton } from '@mantine/core'
import classes from './table-skeleton.module.css'

/** Replaces a table that is loading. Its rows are as high as those of the table. */
export function TableSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike and never move.
        <div key={index} className={classes.row}>
          <Skeleton height={10} width={`${28 - (index % 3) * 5}%`} />
          <Skeleton height={10} width="12%" />
          <Skeleton height={10} width="16%" />
        </div>
      ))}
    </div>
  )
}
