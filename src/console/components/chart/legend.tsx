import classes from './legend.module.css'

/** Explains the two styles of bars in a chart of granted and denied checks. */
export function AnswerLegend() {
  return (
    <span className={classes.legend} aria-hidden="true">
      <span className={classes.granted} data-drawn /> granted
      <span className={classes.denied} /> denied
    </span>
  )
}
