import classes from './legend.module.css'

/** What the two looks of a chart of answers stand for. */
export function AnswerLegend() {
  return (
    <span className={classes.legend} aria-hidden="true">
      <span className={classes.granted} data-drawn /> granted
      <span className={classes.denied} /> denied
    </span>
  )
}
