import type { ReactNode } from 'react'
import { EntitlementValue } from '../text/entitlement-value.tsx'
import { JsonChangeList, JsonChanges } from '../text/json-change-list.tsx'
import { isNested } from '../text/json-changes.ts'
import { Moment } from '../text/moment.tsx'
import { isSameValue, type Value } from '../text/value.ts'
import classes from './history-line.module.css'

/** A list of changes, newest first. */
export function HistoryLines({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol className={classes.lines} aria-label={label}>
      {children}
    </ol>
  )
}

type LineProps = {
  /** What changed. */
  subject: ReactNode
  /** The values before and after the change. */
  sides?: ReactNode
  /** The cause of the change, and who made it. */
  cause?: ReactNode
  note?: string | null
  at: string
  action?: ReactNode
}

/** Shows one change: what changed, the values before and after it, its cause, and its time. */
export function HistoryLine({ subject, sides, cause, note, at, action }: LineProps) {
  return (
    <li className={classes.line}>
      <div className={classes.change}>
        <div className={classes.what}>
          <span className={classes.subject}>{subject}</span>
          {sides}
        </div>
        {cause && <div className={classes.cause}>{cause}</div>}
        {note && <div className={classes.note}>“{note}”</div>}
      </div>
      {action}
      <div className={classes.when}>
        <Moment at={at} />
      </div>
    </li>
  )
}

/** The value before or after a change; null if nothing was granted. */
export type PastValue = Value | 'TOO_LARGE' | null

/** Shows the old and the new value: nested JSON key by key, and only one value if both are the same. */
export function ValueSides({ from, to }: { from: PastValue; to: PastValue }) {
  if (from !== 'TOO_LARGE' && to !== 'TOO_LARGE') {
    if (isSameValue(from, to)) return <PastValueText value={to} />
    if (from?.kind === 'CONFIG' && to?.kind === 'CONFIG' && isNested(from.value) && isNested(to.value)) {
      return <JsonChangeList from={from.value} to={to.value} />
    }
  }
  return (
    <>
      <Sides from={<PastValueText value={from} />} to={<PastValueText value={to} />} />
      {from !== 'TOO_LARGE' && to !== 'TOO_LARGE' && <JsonChanges from={from} to={to} />}
    </>
  )
}

export function Sides({ from, to }: { from: ReactNode; to: ReactNode }) {
  return (
    <span className={classes.sides}>
      {from}
      <span className={classes.none}>to</span>
      {to}
    </span>
  )
}

function PastValueText({ value }: { value: PastValue }) {
  if (value === 'TOO_LARGE') return <span className={classes.none}>too large to log</span>
  return value ? <EntitlementValue {...value} /> : <span className={classes.none}>none</span>
}
