import classes from './eval-section.module.css'

type Props = { used: number; allotment: number; projected: number }

/** How much of the allotment is used, and dashed what will be; the sentence above it has the numbers. */
export function AllotmentMeter({ used, allotment, projected }: Props) {
  const share = (value: number) => `${Math.min(allotment === 0 ? 1 : value / allotment, 1) * 100}%`
  return (
    <div className={classes.meter} aria-hidden="true">
      <div className={classes.expected} style={{ width: share(Math.max(projected, used)) }} />
      <div className={used >= allotment ? classes.full : classes.filled} style={{ width: share(used) }} />
    </div>
  )
}
