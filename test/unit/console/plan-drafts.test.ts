import { describe, expect, it } from 'vitest'
import {
  changeCell,
  emptyDraft,
  grantsAfterSave,
  hasSameEdits,
  parseDraft,
  printDraft,
  withRestoredChanges,
} from '../../../src/console/pages/plans/draft/draft.ts'
import {
  listInvalid,
  noInvalidCells,
  parseInvalidCells,
  printInvalidCells,
  withoutCells,
  withText,
} from '../../../src/console/pages/plans/draft/invalid-cells.ts'
import { mergeColleagueChanges, resolveConflict } from '../../../src/console/pages/plans/draft/merge.ts'
import { formerGrants } from '../../../src/console/pages/plans/plan/former-grants.ts'
import { type Plan, toGrantInputs } from '../../../src/console/pages/plans/plan.ts'
import { isReduction, reachOf } from '../../../src/console/pages/plans/review/reach.ts'

type GrantRow = Plan['grants'][number]

const limit = (feature: string, value: number | null): GrantRow => ({
  feature,
  kind: 'LIMIT',
  limit: value,
  value: null,
})
const limitValue = (value: number | null) => ({ kind: 'LIMIT', limit: value }) as const

function planWith(updatedAt: string, grants: GrantRow[], key = 'pro'): Plan {
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt, archivedAt: null }
  return {
    key,
    name: key,
    kind: 'standard',
    position: null,
    subscriberCount: { value: 3, isExact: true },
    grants,
    ...times,
  }
}

const first = planWith('2026-01-01T00:00:00.000Z', [limit('seats', 10), limit('projects', 5)])
const draft = changeCell(emptyDraft, first, 'seats', limitValue(25))

describe('a draft of plans', () => {
  it('contains the differences from the plan, and is empty once they are reverted', () => {
    expect(toGrantInputs(grantsAfterSave(draft.get('pro') as never))).toEqual([
      { feature: 'seats', kind: 'LIMIT', limit: 25 },
      { feature: 'projects', kind: 'LIMIT', limit: 5 },
    ])
    expect(changeCell(draft, first, 'seats', limitValue(10)).size).toBe(0)
  })

  it("survives a round trip through the browser's storage, even with a key named __proto__", () => {
    const odd = changeCell(draft, planWith(first.updatedAt, [], '__proto__'), '__proto__', null)
    const other = changeCell(odd, planWith(first.updatedAt, [], '__proto__'), 'constructor', limitValue(null))

    expect(parseDraft(printDraft(other))).toEqual(other)
  })

  it('gets discarded changes back without losing newer ones', () => {
    const free = planWith(first.updatedAt, [limit('seats', 3)], 'free')
    const both = changeCell(draft, free, 'seats', limitValue(4))
    const newer = changeCell(changeCell(emptyDraft, first, 'projects', limitValue(6)), free, 'seats', limitValue(5))

    const restored = withRestoredChanges(newer, changeCell(both, first, 'projects', limitValue(9)), ['pro'])

    expect(restored.get('pro')?.wanted).toEqual(
      new Map([
        ['seats', limitValue(25)],
        ['projects', limitValue(6)],
      ]),
    )
    expect(restored.get('free')?.wanted).toEqual(new Map([['seats', limitValue(5)]]))
  })

  it("adopts a colleague's changes to other cells", () => {
    const theirs = planWith('2026-01-02T00:00:00.000Z', [limit('seats', 10), limit('projects', 6)])

    const { draft: merged, changes } = mergeColleagueChanges(draft, [theirs])

    expect(changes).toMatchObject([{ planKey: 'pro', since: first.updatedAt, features: ['projects'], contested: [] }])
    expect(merged.get('pro')?.updatedAt).toBe(theirs.updatedAt)
    expect([...grantsAfterSave(merged.get('pro') as never)]).toEqual([
      ['seats', limitValue(25)],
      ['projects', limitValue(6)],
    ])
  })

  it("has the same edits after a colleague's changes to other cells are adopted, but not after another edit", () => {
    const theirs = planWith('2026-01-02T00:00:00.000Z', [limit('seats', 10), limit('projects', 6)])
    const merged = mergeColleagueChanges(draft, [theirs]).draft

    expect(hasSameEdits(draft, merged)).toBe(true)
    expect(hasSameEdits(draft, changeCell(draft, first, 'seats', limitValue(26)))).toBe(false)
    expect(hasSameEdits(draft, emptyDraft)).toBe(false)
  })

  it('becomes empty if a colleague saved the same change', () => {
    const theirs = planWith('2026-01-02T00:00:00.000Z', [limit('seats', 25), limit('projects', 5)])

    expect(mergeColleagueChanges(draft, [theirs]).draft.size).toBe(0)
  })

  it.each([
    ['yours', 25],
    ['theirs', undefined],
  ] as const)('waits for a choice if a colleague changed the same cell: %s', (choice, wanted) => {
    const theirs = planWith('2026-01-02T00:00:00.000Z', [limit('seats', 30), limit('projects', 5)])
    const { draft: waiting, changes } = mergeColleagueChanges(draft, [theirs])
    expect(waiting).toBe(draft)
    expect(changes[0]?.contested).toEqual([
      { feature: 'seats', before: limitValue(10), yours: limitValue(25), theirs: limitValue(30) },
    ])

    const settled = mergeColleagueChanges(resolveConflict(draft, theirs, 'seats', choice), [theirs])

    expect(settled.changes).toEqual([])
    expect(settled.draft.get('pro')?.wanted.get('seats')).toEqual(wanted && limitValue(wanted))
    expect(settled.draft.get('pro')?.updatedAt).toBe(wanted && theirs.updatedAt)
  })

  it('reports the changes that were lost because their plan was deleted', () => {
    const { draft: remaining, changes } = mergeColleagueChanges(draft, [])

    expect(remaining.size).toBe(0)
    expect(changes).toMatchObject([{ planKey: 'pro', isDeleted: true, features: ['seats'] }])
  })
})

describe('invalid text left in cells', () => {
  const feature = { valueType: null, options: null, position: null, updatedAt: '2026-01-01T00:00:00.000Z' }
  const seats = { ...feature, key: 'seats', name: 'Seats', kind: 'LIMIT' } as const
  const [pro, free] = [planWith('', [], 'pro'), planWith('', [], '__proto__')]
  const invalidCells = withText(
    withText(noInvalidCells, { feature: seats, plan: pro }, '2x'),
    { feature: seats, plan: free },
    'y',
  )

  it('survives a round trip through the browser’s storage, and is listed while its feature and plan exist', () => {
    const problem = 'Enter a whole number, or “unlimited”.'

    expect(listInvalid(parseInvalidCells(printInvalidCells(invalidCells)), [seats], [pro, free])).toEqual([
      { feature: seats, plan: pro, problem },
      { feature: seats, plan: free, problem },
    ])
    expect(listInvalid(invalidCells, [seats], [pro])).toHaveLength(1)
    expect(listInvalid(invalidCells, [], [pro])).toEqual([])
  })

  it('is forgotten cell by cell, or for a whole plan', () => {
    expect(
      withText(withText(invalidCells, { feature: seats, plan: pro }, null), { feature: seats, plan: free }, null).size,
    ).toBe(0)
    expect([...(withoutCells(invalidCells, ['pro']).get('seats')?.keys() ?? [])]).toEqual(['__proto__'])
    expect(withoutCells(invalidCells, ['pro', '__proto__']).size).toBe(0)
  })
})

describe('what a plan granted before a change', () => {
  const former = (feature: string | null, from: unknown) => ({ feature, field: 'grant', from })

  it('includes only grants that the plan no longer has and whose former value the log contains', () => {
    const changes = [
      former('seats', { kind: 'limit', limit: 3 }),
      former('projects', { kind: 'limit', limit: 5 }),
      former('sso', null),
      former('theme', { too_large: true }),
      former(null, 'Pro'),
    ]

    expect(formerGrants(first, changes)).toEqual(new Map([['seats', limitValue(3)]]))
    expect(formerGrants(first, [former('projects', null)])).toEqual(new Map([['projects', null]]))
  })
})

describe('the effect of a change on subscribers', () => {
  const count = (value: number, isExact = true) => ({ value, isExact })

  it('is a reduction if a grant is removed or lowered', () => {
    expect(isReduction({ from: limit('seats', 10), to: null })).toBe(true)
    expect(isReduction({ from: limit('seats', null), to: limit('seats', 10) })).toBe(true)
    expect(isReduction({ from: limit('seats', 10), to: limit('seats', 9) })).toBe(true)
    expect(isReduction({ from: limit('seats', 10), to: limit('seats', null) })).toBe(false)
    expect(isReduction({ from: null, to: limit('seats', 0) })).toBe(false)
  })

  it('excludes subscribers with an override, and is only as exact as the counts', () => {
    const affectedOf = (subscribers: object, hidden: object) =>
      reachOf(subscribers as never, { hiddenByOverride: hidden as never }).affected

    expect(affectedOf(count(134), count(14))).toEqual(count(120))
    expect(affectedOf(count(10_000, false), count(14))).toEqual(count(9986, false))
    expect(affectedOf(count(10_000, false), count(10_000, false))).toBeNull()
  })
})
