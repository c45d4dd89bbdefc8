import { expect, it } from 'vitest'
import { toTable, type Usage } from '../../src/cli/usage-table.ts'

const bytes = { audit: 1000, events: 200, subscribers: 30, overrides: 4, catalog: 0, other: 0 }
const at = '2026-01-01T00:00:00.000Z'

it('the table of `org:usage` has columns of equal width, with the sum first, and a note for an organization without counts', () => {
  const usages: Usage[] = [
    { organization_id: '1', bytes, at },
    { organization_id: '2', bytes: null, at: null },
  ]

  expect(toTable(usages).split('\n')).toEqual([
    'organization    all  audit  events  subscribers  overrides  catalog  other  counted at',
    '1             1,234  1,000     200           30          4        0      0  2026-01-01T00:00:00.000Z',
    '2             not counted yet: a worker counts new organizations every five minutes',
  ])
})

it('the table of `org:usage` may have 150,000 lines', () => {
  const usages = Array.from({ length: 150_000 }, (_, n) => ({ organization_id: `${n}`, bytes, at }))

  expect(toTable(usages).split('\n')).toHaveLength(150_001)
})
