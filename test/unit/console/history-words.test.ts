import { describe, expect, it } from 'vitest'
import { type Change, describeCause, withPreviousChange } from '../../../src/console/components/history/changes.ts'
import type { ExplainedFeature } from '../../../src/console/pages/subscribers/features/explained.ts'
import { findLosses } from '../../../src/console/pages/subscribers/history/losses.ts'

type Entitlement = ExplainedFeature['entitlement']
type Source = Entitlement['source']

const at = '2026-11-20T09:00:00.000Z'
const now = new Date('2026-11-24T09:00:00.000Z')

function flag(source: Source, expiresAt: string | null = null): Entitlement {
  const allowed = source !== 'NONE'
  return { feature: 'export', kind: 'FLAG', allowed, limit: null, value: null, source, expiresAt }
}

function limit(source: Source, count: number): Entitlement {
  const feature = 'seats'
  return { feature, kind: 'LIMIT', allowed: count > 0, limit: count, value: null, source, expiresAt: null }
}

function change(cause: Change['cause'], from: Entitlement | null, to: Entitlement | null, by?: string): Change {
  const side = (entitlement: Entitlement | null) => entitlement && { entitlement }
  return {
    id: `${cause} ${by}`,
    group: cause,
    at,
    cause,
    feature: to?.feature ?? from?.feature ?? 'export',
    plan: 'starter',
    note: null,
    by: by === undefined ? null : { memberId: `M ${by}`, displayName: by },
    from: side(from),
    to: side(to),
  }
}

function feature(entitlement: Entitlement): ExplainedFeature {
  const key = entitlement.feature
  const catalog = {
    key,
    name: key,
    kind: entitlement.kind,
    valueType: null,
    options: null,
    description: '',
    position: null,
  }
  return { ...catalog, entitlement, beneath: null, override: null, planGrant: null }
}

const until = '2026-12-12T08:00:00.000Z'
const later = '2027-01-12T08:00:00.000Z'
const overrideSet = change('OVERRIDE', flag('NONE'), flag('OVERRIDE', until), 'Chloé')
const ended = change('EXPIRY', flag('OVERRIDE', until), flag('NONE'))

/** The text about the loss of the only feature, or undefined. */
function lossOf(current: Entitlement, ...changes: Change[]): string | undefined {
  return findLosses([feature(current)], changes, now).get(current.feature)?.text
}

describe('the reason why a feature is off or lower now', () => {
  it('names the override that ended and the person who had set it', () => {
    expect(lossOf(flag('NONE'), ended, overrideSet)).toBe('off since 20 November: Chloé’s override expired')
    expect(lossOf(flag('NONE'), ended)).toBe('off since 20 November: the override expired')
    expect(findLosses([feature(flag('NONE'))], [ended], new Date(at)).get('export')?.text).toMatch(
      /^off since \d\d:\d\d \(just now\)/,
    )
  })

  it('names what changed, such as the plan, and the person who changed it', () => {
    const removed = change('PLAN', flag('PLAN'), flag('NONE'), 'Ben')
    expect(lossOf(flag('NONE'), removed)).toBe('off since 20 November: removed from plan starter by Ben')
    const lowered = change('PLAN', limit('PLAN', 25), limit('PLAN', 5), 'Ben')
    expect(lossOf(limit('PLAN', 5), lowered)).toBe('down from 25 since 20 November: lowered on plan starter by Ben')
    const moved = change('SUBSCRIPTION', flag('PLAN'), flag('NONE'), 'Ben')
    expect(lossOf(flag('NONE'), moved)).toBe('off since 20 November: moved to plan starter by Ben')
    const canceled = { ...moved, plan: null }
    expect(lossOf(flag('NONE'), canceled)).toBe('off since 20 November: the plan was canceled by Ben')
    const taken = change('OVERRIDE', flag('OVERRIDE'), flag('NONE'), 'Ben')
    expect(lossOf(flag('NONE'), taken)).toBe('off since 20 November: the override was removed by Ben')
  })

  it('ignores changes that kept the value', () => {
    const hidden = change('OVERRIDE', limit('PLAN', 5), limit('OVERRIDE', 5), 'Ada')
    const lowered = change('PLAN', limit('PLAN', 25), limit('PLAN', 5), 'Ben')
    const shown = change('OVERRIDE', limit('OVERRIDE', 5), limit('PLAN', 5), 'Ada')
    expect(lossOf(limit('PLAN', 5), shown, hidden, lowered)).toMatch(/lowered on plan starter by Ben$/)
  })

  it('is not given if the feature was last raised, is overridden, never changed, or had an unknown value', () => {
    expect(lossOf(limit('PLAN', 25), change('PLAN', limit('PLAN', 5), limit('PLAN', 25), 'Ben'))).toBeUndefined()
    expect(lossOf({ ...flag('OVERRIDE'), allowed: false }, ended)).toBeUndefined()
    expect(lossOf(flag('NONE'))).toBeUndefined()
    expect(lossOf(flag('NONE'), change('PLAN', null, flag('NONE'), 'Ben'))).toBeUndefined()
  })
})

describe('the reason why an entitlement changed', () => {
  const sayFirst = (...changes: Change[]) => withPreviousChange(changes).slice(0, 1).map(describeCause).join('')

  it('depends on what came before: granted again after an expiry; extended, shortened or made permanent before it', () => {
    const again = change('OVERRIDE', flag('NONE'), flag('OVERRIDE', later), 'Ada')
    expect(sayFirst(again, ended, overrideSet)).toBe('granted again with an override by Ada')
    expect(sayFirst(overrideSet)).toBe('overridden by Chloé')
    const extended = change('OVERRIDE', flag('OVERRIDE', until), flag('OVERRIDE', later), 'Ada')
    expect(sayFirst(extended, overrideSet)).toBe('the override was extended until 12 January 2027 by Ada')
    const shortened = change('OVERRIDE', flag('OVERRIDE', later), flag('OVERRIDE', until), 'Ada')
    expect(sayFirst(shortened, overrideSet)).toBe('the override was shortened until 12 December by Ada')
    const permanent = change('OVERRIDE', flag('OVERRIDE', until), flag('OVERRIDE'), 'Ada')
    expect(sayFirst(permanent, overrideSet)).toBe('the override was made permanent by Ada')
    const changed = change('OVERRIDE', limit('OVERRIDE', 5), limit('OVERRIDE', 7), 'Ada')
    expect(sayFirst(changed)).toBe('the override was changed by Ada')
  })

  it('says that the subscriber was created, and names the plan even if the log does not contain its former value', () => {
    expect(sayFirst({ ...change('SUBSCRIBER', null, null, 'Ada'), feature: null })).toBe(
      'the subscriber was created by Ada',
    )
    expect(sayFirst(change('PLAN', null, flag('PLAN'), 'Ada'))).toBe('changed on plan starter by Ada')
  })
})
