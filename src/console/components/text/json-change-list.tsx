import classes from './json-change-list.module.css'
import { compareJson, type JsonChange, toNestedSides } from './json-changes.ts'
import { formatNumber } from './number.ts'
import { shortenMiddle } from './shorten.ts'
import type { Value } from './value.ts'

const maxShownChanges = 20

/** Lists the differences between two values, key by key. Renders nothing if neither is JSON with keys or items. */
export function JsonChanges(sides: { from: Value | null; to: Value | null }) {
  const nested = toNestedSides(sides.from, sides.to)
  return nested && <JsonChangeList {...nested} />
}

/** Lists the differences between two JSON values, key by key. */
export function JsonChangeList({ from, to }: { from: unknown; to: unknown }) {
  const changes = compareJson(from, to)
  const hiddenCount = changes.length - maxShownChanges
  return (
    <ul className={classes.list} aria-label="Changes by key">
      {changes.slice(0, maxShownChanges).map((change) => (
        <li key={change.path}>
          {change.path !== '' && <code className={classes.path}>{change.path}</code>} <ChangeText change={change} />
        </li>
      ))}
      {hiddenCount > 0 && <li>and {formatNumber(hiddenCount)} more</li>}
    </ul>
  )
}

function ChangeText({ change }: { change: JsonChange }) {
  if (!('from' in change)) {
    return (
      <>
        added: <ins className={classes.to}>{toShortJson(change.to)}</ins>
      </>
    )
  }
  if (!('to' in change)) {
    return (
      <>
        removed: <del>{toShortJson(change.from)}</del>
      </>
    )
  }
  return (
    <>
      from <del>{toShortJson(change.from)}</del> to <ins className={classes.to}>{toShortJson(change.to)}</ins>
    </>
  )
}

function toShortJson(value: unknown): string {
  return shortenMiddle(JSON.stringify(value), 80)
}
