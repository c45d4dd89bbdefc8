import type pg from 'pg'
import { loadOrganizationTables, readAsJson, type StoredTable } from '../../database/stored-tables.ts'
import type { ShowProgress } from '../with-progress.ts'
import { type People, toTargetRow } from './people.ts'

/**
 * Tables with many rows. They have no foreign key to the organization, and are copied before the switch, while the organization
 * exists only here. The switch then copies the rows in `catchUp`, which may change until then.
 */
const largeTables = [
  'subscriber',
  'subscription',
  'override',
  'override_version',
  'feature_usage_day',
  'plan_grant_version',
  'webhook_event',
  'webhook_attempt',
  'kept_answer',
  'audit_event',
  'audit_event_creation',
  'audit_link',
]

/**
 * Tables that are not copied: console sessions end, followers start over, and leases and per-second counts are useless
 * elsewhere.
 */
const tablesNotCopied = ['change', 'console_session', 'follower_count', 'token_counter', 'webhook_lane']

/** Columns that each database numbers for itself: events get new numbers at the target, in the same order. */
const renumberedColumns: Record<string, string> = { webhook_event: 'sequence' }

/**
 * The rows that may change until the switch, because evals are answered until then: audit entries with an id from `fromId` on,
 * or in `pending` (they have no outcome yet), links after `position`, and counts by feature from `fromDate` on.
 */
export type CatchUpRows = { fromId: string; pending: readonly string[]; position: string; fromDate: string }

export type Copy = {
  source: pg.Client
  target: pg.Client
  organizationId: string
  catchUp: CatchUpRows
  show: ShowProgress
}

/** The condition for a table's rows in `catchUp`; null for a table without such rows. */
function catchUpCondition(table: string, { fromId, pending, position, fromDate }: CatchUpRows): string | null {
  if (table === 'audit_link') return `position > ${position}`
  if (table === 'feature_usage_day') return `date >= '${fromDate}'`
  if (table !== 'audit_event' && table !== 'audit_event_creation') return null
  const ids = pending.map((id) => `'${id}'`).join()
  return `(audit_event_id >= '${fromId}' ${ids && `or audit_event_id in (${ids})`})`
}

/**
 * Copies the large tables page by page, so that nobody waits for a long transaction at the target. Returns the number of rows.
 */
export async function copyLargeTables(copy: Copy): Promise<number> {
  let count = 0
  // The switch's commit waits for the disk, and thereby for all earlier commits, too.
  await copy.target.query(`set synchronous_commit = off; set entitlements.without_versions = 'true'`)
  for (const table of await loadOrganizationTables(copy.source)) {
    if (!largeTables.includes(table.name)) continue
    const late = catchUpCondition(table.name, copy.catchUp)
    copy.show(`copied ${count} rows, now copying ${table.name}`)
    count += await copyTable(copy, table, late ? `and not ${late}` : '', (json) => json, count)
  }
  await copy.target.query('set synchronous_commit = on')
  return count
}

/** Copies everything else, within the transaction of the switch. */
export async function copyRemainingTables(copy: Copy, people: People): Promise<void> {
  for (const table of await loadOrganizationTables(copy.source)) {
    const late = catchUpCondition(table.name, copy.catchUp)
    if (late) await copyTable(copy, table, `and ${late}`, (json) => json)
    if (largeTables.includes(table.name) || tablesNotCopied.includes(table.name)) continue
    await copyTable(copy, table, '', (json) => toTargetRow(table.name, json, people))
  }
}

async function copyTable(
  { source, target, organizationId, show }: Copy,
  { name, columns, key }: StoredTable,
  condition: string,
  toJson: (json: string) => string,
  countBefore = 0,
): Promise<number> {
  const number = renumberedColumns[name]
  const given = columns.flatMap((column) => (column.name === number ? [] : [target.escapeIdentifier(column.name)]))
  const select = `select * from ${name} where organization_id = ${source.escapeLiteral(organizationId)} ${condition}
                   order by ${number ?? key.join(', ')}`
  let count = 0
  for await (const page of readAsJson(source, select)) {
    await target.query(
      `insert into ${name} (${given}) select ${given} from json_populate_recordset(null::${name}, $1)`,
      [`[${page.map(toJson).join()}]`],
    )
    count += page.length
    show(`copied ${countBefore + count} rows, now copying ${name}`)
  }
  return count
}
