import { Text } from '@mantine/core'
import { Fold } from '../api/code-block.tsx'
import { EntitlementValue } from '../text/entitlement-value.tsx'
import { formatExact } from '../text/format-time.ts'
import { JsonChangeList } from '../text/json-change-list.tsx'
import classes from './before-after.module.css'
import { type ChangeRow, type Side, toChangeRows } from './change-rows.ts'
import { type AuditEntry, isDone } from './describe-entry.ts'

/** Shows the changes of an entry. The values before and after are side by side, and on a phone one below the other. */
export function BeforeAfter({ entry }: { entry: AuditEntry }) {
  const rows = toChangeRows(entry)
  if (rows.length === 0) return <Text c="dimmed">{describeNoChange(entry)}</Text>
  const hasBefore = rows.some(({ before }) => before !== undefined)
  return (
    <table className={classes.table} aria-label="What changed">
      <thead>
        <tr>
          <th scope="col">Field</th>
          {hasBefore && <th scope="col">Before</th>}
          <th scope="col">{hasBefore ? 'After' : 'Value'}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={`${row.isKey}${row.field}`} row={row} hasBefore={hasBefore} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ row, hasBefore }: { row: ChangeRow; hasBefore: boolean }) {
  const { field, isKey, before, after } = row
  const head = <th scope="row">{isKey ? <code>{field}</code> : field}</th>
  if (before && 'json' in before && 'json' in after) {
    return (
      <tr>
        {head}
        <td colSpan={2} data-title="Changes by key">
          <JsonChangeList from={before.json} to={after.json} />
          <Fold title="Both values">
            <pre className={`${classes.json} ${classes.before}`}>{JSON.stringify(before.json, null, 2)}</pre>
            <pre className={classes.json}>{JSON.stringify(after.json, null, 2)}</pre>
          </Fold>
        </td>
      </tr>
    )
  }
  return (
    <tr>
      {head}
      {hasBefore && (
        <td data-title="Before" className={before && classes.before}>
          {before ? <SideText side={before} /> : '—'}
        </td>
      )}
      <td data-title={hasBefore ? 'After' : 'Value'}>
        <SideText side={after} />
      </td>
    </tr>
  )
}

function SideText({ side }: { side: Side }) {
  if ('none' in side) return <Text c="dimmed">{side.none}</Text>
  if ('text' in side) return side.text
  if ('time' in side) return <time dateTime={side.time}>{formatExact(new Date(side.time))}</time>
  if ('json' in side) return <pre className={classes.json}>{JSON.stringify(side.json, null, 2)}</pre>
  return side.shown === 'TOO_LARGE' ? 'too large to log' : <EntitlementValue {...side.shown} />
}

function describeNoChange(entry: AuditEntry): string {
  if (!isDone(entry)) return 'The log records no change.'
  if (entry.method === 'DELETE') return 'It was removed. Its earlier entries show what it was.'
  return 'Nothing was changed.'
}
