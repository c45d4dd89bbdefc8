import classes from './legend.module.css'

/** The meaning of the two styles in a chart of answers. */
export function AnswerLegend() {
  return (
    <span className={classes.legend} aria-hidden="true">
      <span className={classes.granted} data-drawn /> granted
      <span className={classes.denied} /> denied
    </span>
  )
}
