import classes from './json-change-list.module.css'
import { compareJson, type JsonChange } from './json-changes.ts'
import { formatNumber } from './number.ts'
import { shortenMiddle } from './shorten.ts'

const shown = 20

/** What differs between two JSON values, key by key. */
export function JsonChangeList({ from, to }: { from: unknown; to: unknown }) {
  const changes = compareJson(from, to)
  const rest = changes.length - shown
  return (
    <ul className={classes.list} aria-label="Changes by key">
      {changes.slice(0, shown).map((change) => (
        <li key={change.path}>
          {change.path !== '' && <code className={classes.path}>{change.path}</code>} <Sides change={change} />
        </li>
      ))}
      {rest > 0 && <li>and {formatNumber(rest)} more</li>}
    </ul>
  )
}

function Sides({ change }: { change: JsonChange }) {
  if (!('from' in change)) {
    return (
      <>
        added: <ins className={classes.to}>{print(change.to)}</ins>
      </>
    )
  }
  if (!('to' in change)) {
    return (
      <>
        removed: <del>{print(change.from)}</del>
      </>
    )
  }
  return (
    <>
      from <del>{print(change.from)}</del> to <ins className={classes.to}>{print(change.to)}</ins>
    </>
  )
}

function print(value: unknown): string {
  return shortenMiddle(JSON.stringify(value), 80)
}
