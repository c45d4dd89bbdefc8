import type { ExportRow } from '../export/export-file.ts'
import { type Value, valueOfAnswer } from '../text/value.ts'
import { type Change, classifyChange } from './changes.ts'
import { describeGroup, groupChanges, type Names } from './groups.ts'

/** The columns of the exports about one subscriber, which have a row for each of its changes. */
export const subscriberColumns = [
  'at',
  'kind',
  'what',
  'by',
  'member_id',
  'subscriber_id',
  'subscriber_name',
  'feature',
  'feature_name',
  'effect',
  'from',
  'to',
  'plan_id',
  'plan_name',
  'note',
  'remedy',
  'change_id',
]

export type Subject = { subscriberId: string; name: string | null }

type History = { changes: readonly Change[]; hasMore: boolean; names: Names }

/** Returns a row for each change, newest first. Its column `what` describes the write or the expiry that caused the change. */
export function toHistoryRows({ subscriberId, name }: Subject, { changes, hasMore, names }: History): ExportRow[] {
  return groupChanges(changes, hasMore).flatMap((group) =>
    group.changes.map(({ change }) => ({
      at: change.at,
      kind: 'change',
      what: describeGroup(group, names),
      by: change.by?.displayName,
      member_id: change.by?.memberId,
      subscriber_id: subscriberId,
      subscriber_name: name,
      feature: change.feature,
      feature_name: change.feature && names.feature(change.feature),
      effect: change.feature && classifyChange(change),
      from: toCell(change.from),
      to: toCell(change.to),
      plan_id: change.plan,
      plan_name: change.plan && names.plan(change.plan),
      note: change.note,
      change_id: change.group,
    })),
  )
}

function toCell(side: Change['from']): unknown {
  const value = side && valueOfAnswer(side.entitlement)
  return value && toPlainValue(value)
}

/** The value in full, not abbreviated. */
function toPlainValue(value: Value): unknown {
  switch (value.kind) {
    case 'FLAG':
      return value.allowed ? 'on' : 'off'
    case 'LIMIT':
      return value.limit ?? 'unlimited'
    case 'CONFIG':
      return value.value
  }
}
