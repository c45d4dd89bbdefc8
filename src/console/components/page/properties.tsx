import type { ReactNode } from 'react'
import classes from './properties.module.css'

/** What an object is, name by name. */
export function Properties({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.list}>
      {items.map(([name, value]) => (
        <div key={name} className={classes.item}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
