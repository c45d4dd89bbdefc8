import { describe, expect, it } from 'vitest'
import type { ExplainedFeature } from '../../../src/console/pages/subscribers/features/explained.ts'
import { extendExpiry } from '../../../src/console/pages/subscribers/features/override-input.ts'
import { proposeOverride } from '../../../src/console/pages/subscribers/features/proposal.ts'
import {
  describeValueAfter,
  describeWhy,
  toCustomerSentence,
} from '../../../src/console/pages/subscribers/features/wording.ts'
import { compare } from '../../../src/console/pages/subscribers/plan/compare-plans.ts'
import { toFilter } from '../../../src/console/pages/subscribers/subscriber-filter.ts'

const now = new Date('2027-02-26T08:00:00Z')
const until = '2027-03-12T08:00:00.000Z'

type Entitlement = ExplainedFeature['entitlement']

function limit(fields: Partial<Entitlement>): Entitlement {
  const none = {
    feature: 'seats',
    kind: 'LIMIT',
    allowed: false,
    limit: 0,
    value: null,
    source: 'NONE',
    expiresAt: null,
  }
  return { ...none, ...fields } as Entitlement
}

const nothing = limit({})
const fromPlan = limit({ source: 'PLAN', allowed: true, limit: 5 })
const overridden = limit({ source: 'OVERRIDE', allowed: true, limit: 25, expiresAt: until })

function seats(entitlement: Entitlement, beneath: Entitlement | null = null): ExplainedFeature {
  const setBy = { displayName: 'Ada', isServiceAccount: false, removed: false }
  const override = beneath && { expiresAt: entitlement.expiresAt, setBy, note: null }
  const catalog = { key: 'seats', name: 'Seats', kind: 'LIMIT', valueType: null, options: null, description: '' }
  return { ...catalog, entitlement, beneath, override, planGrant: null } as ExplainedFeature
}

describe('the reason for the value that a subscriber has of a feature', () => {
  it('names the end of the override, the person who set it, and the value that it hides', () => {
    const feature = seats(overridden, fromPlan)
    expect(describeWhy(feature, 'pro', now)).toBe('by Ada, until 12 March, replaces “5” from the plan')
    expect(describeValueAfter(feature, 'pro', now)).toBe('back to 5 (pro) on 12 March')
    expect(describeWhy(feature, 'pro', new Date('2026-12-01T00:00:00Z'))).toMatch(/^by Ada, until 12 March 2027/)
  })

  it('says if nothing else grants the feature, if the override repeats the plan, and if it never expires', () => {
    const alone = seats(overridden, nothing)
    expect(describeWhy(alone, 'pro', now)).toBe('by Ada, until 12 March, nothing else grants it')
    expect(describeValueAfter(alone, 'pro', now)).toBe('back to 0 on 12 March')
    const permanent = seats({ ...overridden, limit: 5, expiresAt: null }, fromPlan)
    expect(describeWhy(permanent, 'pro', now)).toBe('by Ada, no expiry, repeats “5” from the plan')
    expect(describeValueAfter(permanent, 'pro', now)).toBeNull()
  })

  it('names the plan, or says that nothing grants the feature', () => {
    expect(describeWhy(seats(fromPlan), 'pro', now)).toBe('pro')
    expect(describeWhy(seats(nothing), 'pro', now)).toBe('nothing grants it')
  })
})

it('the sentence for the customer fits the kind of feature, and when it starts or ends', () => {
  const flag = { ...nothing, kind: 'FLAG' } as Entitlement
  const config = { ...fromPlan, kind: 'CONFIG', limit: null } as Entitlement
  expect(toCustomerSentence('Export', { ...flag, allowed: true, source: 'OVERRIDE', expiresAt: until })).toBe(
    'Export is on for you until 12 March 2027.',
  )
  expect(toCustomerSentence('Export', flag)).toBe('Export is not part of your plan.')
  expect(toCustomerSentence('Export', flag, { ended: until })).toBe('Your trial of Export ended on 12 March 2027.')
  expect(toCustomerSentence('Export', flag, { ended: until, starts: until })).toBe(
    'Export starts for you on 12 March 2027.',
  )
  expect(toCustomerSentence('Seats', { ...fromPlan, limit: 1000 }, { isUndelivered: true })).toBe(
    'Seats: up to 1,000 for you. Our product has not picked up the latest change yet, so you may still see the former state.',
  )
  expect(toCustomerSentence('Seats', { ...fromPlan, limit: 1000 })).toBe('Seats: up to 1,000 for you.')
  expect(toCustomerSentence('Seats', { ...fromPlan, limit: null })).toBe('Seats: unlimited for you.')
  expect(toCustomerSentence('Seats', nothing)).toBe('Seats is not part of your plan.')
  expect(toCustomerSentence('Region', { ...config, value: 'eu-west' })).toBe('Region is set to eu-west for you.')
  expect(toCustomerSentence('Theme', { ...config, value: { accent: 'blue' } })).toBe('Theme is set up for you.')
})

it('another plan is compared feature by feature, losses first', () => {
  const featureWith = (key: string, entitlement: Entitlement) => ({ ...seats(entitlement), key })
  const before = [
    featureWith('a', nothing),
    featureWith('b', fromPlan),
    featureWith('c', fromPlan),
    featureWith('d', fromPlan),
    featureWith('e', fromPlan),
  ]
  const after = [
    featureWith('a', fromPlan),
    featureWith('b', { ...fromPlan, limit: 3 }),
    featureWith('c', nothing),
    featureWith('d', fromPlan),
  ]
  const raised = featureWith('e', { ...fromPlan, limit: null })

  const { changes, hidden, unchanged } = compare(before, [...after, raised])

  expect(changes.map(({ feature, effect }) => [feature.key, effect])).toEqual([
    ['c', 'lost'],
    ['b', 'lowered'],
    ['e', 'raised'],
    ['a', 'gained'],
  ])
  expect([hidden, unchanged]).toEqual([[], 1])
})

it('losing a grant that an override hides does not count as a loss', () => {
  const planGrant = { feature: 'seats', kind: 'LIMIT', limit: 5, value: null } as const
  const before = { ...seats(overridden, fromPlan), planGrant }
  const after = { ...seats(overridden, nothing), planGrant: null }

  const { changes, hidden, unchanged } = compare([before], [after])

  expect([changes, hidden, unchanged]).toEqual([[], [before], 0])
})

it('an override is proposed for two weeks, and extended from its expiry, or from now if it has expired', () => {
  expect(proposeOverride(seats(fromPlan), null, now)).toEqual({
    value: '5',
    startsAt: null,
    expiresAt: until,
    note: '',
  })
  expect(extendExpiry(until, 14, now)).toBe('2027-03-26T08:00:00.000Z')
  expect(extendExpiry('2027-02-01T08:00:00.000Z', 14, now)).toBe(until)
})

it("the page's address is converted to the filter of the list", () => {
  expect(toFilter({})).toBeNull()
  expect(toFilter({ q: ' acme ', plan: 'pro' })).toEqual({ text: 'acme', planId: 'pro' })
  expect(toFilter({ plan: 'pro', without_plan: true })).toEqual({ withoutPlan: true })
})
