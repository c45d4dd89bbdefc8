import { defineInput } from '../../core/input.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import { readClock, type Sql } from '../../database/sql.ts'
import type { Transaction } from '../../database/transaction.ts'
import { defineWrite } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { lockPlan, planAnswer } from './plan.ts'

/*
 * | From         | Trigger   | To           | Event |
 * | not archived | archive   | archived     | none; subscribers stay on the plan |
 * | archived     | unarchive | not archived | none |
 */

const hint = 'cannot be set here: use POST /org/plans/{key}/archive or POST /org/plans/{key}/unarchive.'

/** Hints for clients that send the archived state in a body. */
export const archiveHints = {
  archived_at: `archived_at ${hint}`,
  archivedAt: `archivedAt ${hint}`,
  archived: `archived ${hint}`,
  is_archived: `is_archived ${hint}`,
}

const definition = {
  method: 'POST',
  service: 'api',
  labels: ['plans:write'],
  adds: false,
  status: 200,
  input: defineInput({}, { unknown: 'reject' }),
} as const

export const archivePlan = defineWrite({
  ...definition,
  name: 'archivePlan',
  summary: 'Archive a plan: it accepts no new subscriptions, and keeps the existing ones.',
  route: '/org/plans/{key}/archive',
  answer: planAnswer,
  run: (call) => setArchived(call, true),
})

export const unarchivePlan = defineWrite({
  ...definition,
  name: 'unarchivePlan',
  summary: 'Unarchive a plan: it accepts new subscriptions again.',
  route: '/org/plans/{key}/unarchive',
  answer: planAnswer,
  run: (call) => setArchived(call, false),
})

type ArchiveCall = { tx: Transaction; sql: Sql; organizationId: string; path: { key: string } }

async function setArchived({ tx, sql, organizationId, path: { key } }: ArchiveCall, archived: boolean) {
  const plan = await lockPlan(tx, organizationId, key, 'update')
  const details = describeChanges({ archived: plan.archivedAt !== null }, { archived })
  if (!details) return { result: plan, details }
  const now = await readClock(sql)
  const written = await tx.plan.update({
    where: { organizationId_key: { organizationId, key } },
    data: { archivedAt: archived ? now : null, updatedAt: nextUpdatedAt(plan, now) },
  })
  return { result: { ...plan, ...written }, details, changedAt: written.updatedAt }
}
