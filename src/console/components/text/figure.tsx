import classes from './figure.module.css'

/** A number whose digits line up with those of other rows. Not for words: the font setting stretches their hyphens. */
export function Figure({ children }: { children: string | number }) {
  return <span className={classes.figure}>{children}</span>
}
