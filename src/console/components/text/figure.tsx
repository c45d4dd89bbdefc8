import classes from './figure.module.css'

/** A number whose digits stand below those of other rows. Words are never set this way: it stretches their hyphens. */
export function Figure({ children }: { children: string | number }) {
  return <span className={classes.figure}>{children}</span>
}
