import classes from './live.module.css'

/** Marks content that refreshes itself while the page is visible. */
export function Live() {
  return <span className={classes.live}>Live</span>
}
