import { expect, it } from 'vitest'
import type { AuditEntry } from '../../../src/console/components/audit/describe-entry.ts'
import { foldImports } from '../../../src/console/components/audit/fold-imports.ts'

type EntryFields = {
  id: number
  at: string
  details: unknown
  route?: string
  memberId?: string
  params?: AuditEntry['params']
}

function entry({
  id,
  at,
  details,
  route = '/org/subscribers/import',
  memberId = 'M1',
  params = [],
}: EntryFields): AuditEntry {
  return {
    id: String(id),
    occurredAt: `2026-11-24T${at}Z`,
    method: 'POST',
    route,
    params,
    outcome: 'RESPONDED',
    status: 200,
    createdId: null,
    details,
    requestId: `req_${id}`,
    ip: '127.0.0.1',
    userAgent: null,
    actor: { authType: 'MEMBER_SESSION', keyPrefix: null, memberId, member: null },
  }
}

const counts = (lines: number, each?: object) => ({
  ...{ lines, created: 0, updated: lines, unchanged: 0, failed: 0 },
  ...(each && { each }),
})
const toPro = { plan_id: 'pro' }

function fold(entries: EntryFields[]) {
  return foldImports(entries.map(entry)).map(({ entry: { id, details }, parts }) => [
    id,
    (details as { updated: number } | null)?.updated,
    parts,
  ])
}

it('the parts of an import are folded into one entry with the sum of their counts', () => {
  expect(
    fold([
      { id: 4, at: '09:00:09', details: null, route: '/org/features' },
      { id: 3, at: '09:00:08', details: counts(7, toPro) },
      { id: 2, at: '09:00:04', details: counts(1000, toPro) },
      { id: 1, at: '09:00:00', details: counts(1000, toPro) },
      { id: 0, at: '08:00:00', details: counts(1000, toPro) },
    ]),
  ).toEqual([
    ['4', undefined, []],
    ['3', 2007, ['req_2', 'req_1']],
    ['0', 1000, []],
  ])
  expect(
    fold([
      { id: 2, at: '09:00:04', details: counts(3) },
      { id: 1, at: '09:00:00', details: counts(1000) },
    ]),
  ).toEqual([['2', 1003, ['req_1']]])
})

it('imports stay separate if they set different values, have different senders, or are small', () => {
  const apart = [
    { id: 5, at: '09:00:06', details: counts(2) },
    { id: 4, at: '09:00:05', details: counts(2) },
    { id: 3, at: '09:00:04', details: counts(9, { plan_id: 'free' }) },
    { id: 2, at: '09:00:03', details: counts(9, toPro) },
    { id: 1, at: '09:00:02', details: counts(9, toPro), memberId: 'M2' },
    { id: 0, at: '09:00:01', details: toPro, params: [{ name: 'subscriber_id', value: 'a' }] },
  ]
  expect(fold(apart).map(([id]) => id)).toEqual(['5', '4', '3', '2', '1', '0'])
})
