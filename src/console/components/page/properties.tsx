import type { ReactNode } from 'react'
import classes from './properties.module.css'

export type Property = readonly [name: string, value: ReactNode]

/** Lists an object's properties by name and value. Skips items that are false. */
export function Properties({ items }: { items: readonly (Property | false)[] }) {
  return (
    <dl className={classes.list}>
      {items
        .filter((item) => item !== false)
        .map(([name, value]) => (
          <div key={name} className={classes.item}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
