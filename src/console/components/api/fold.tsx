import type { ReactNode } from 'react'
import classes from './code-block.module.css'

/** Content that few people need, folded up behind its title. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={classes.fold}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
