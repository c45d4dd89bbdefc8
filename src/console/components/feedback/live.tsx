import classes from './live.module.css'

/** Beside what refreshes by itself while the page is visible. */
export function Live() {
  return <span className={classes.live}>Live</span>
}
