import { describe, expect, it } from 'vitest'
import {
  type Delivery,
  describeDelivery,
  toDeliveries,
} from '../../../src/console/components/delivery-status/use-delivery.ts'
import { exportFileName } from '../../../src/console/components/export/file-name.ts'
import type { Change } from '../../../src/console/components/history/changes.ts'
import type { ExplainedFeature } from '../../../src/console/pages/subscribers/features/explained.ts'
import { printStory } from '../../../src/console/pages/subscribers/story/print-story.ts'
import { type StoryFacts, toStory } from '../../../src/console/pages/subscribers/story/story.ts'
import { toStoryRows } from '../../../src/console/pages/subscribers/story/story-rows.ts'

type Entitlement = ExplainedFeature['entitlement']

const now = new Date('2026-11-24T09:00:00.000Z')
const day = (back: number) => new Date(now.getTime() - back * 86_400_000).toISOString()

function flag(feature: string, source: Entitlement['source'], expiresAt: string | null = null): Entitlement {
  return { feature, kind: 'FLAG', allowed: source !== 'NONE', limit: null, value: null, source, expiresAt }
}

type ChangeFields = { group: string; back: number; cause: Change['cause']; plan: string | null; by?: string }

/** A change of a flag from one source to another; `feature` is null for the creation of the subscriber. */
function change(
  { group, back, cause, plan, by }: ChangeFields,
  feature: string | null,
  sides: Entitlement['source'][],
): Change {
  const [from, to] = sides.map((source) => ({ entitlement: flag(feature ?? '', source) }))
  return {
    id: `${group} ${feature}`,
    group,
    at: day(back),
    cause,
    feature,
    plan,
    note: null,
    by: by === undefined ? null : { memberId: `M ${by}`, displayName: by },
    from: from ?? null,
    to: to ?? null,
  }
}

function feature(key: string, source: Entitlement['source'], expiresAt: string | null = null): ExplainedFeature {
  const entitlement = flag(key, source, expiresAt)
  const override =
    source === 'OVERRIDE'
      ? {
          id: key,
          feature: key,
          kind: 'FLAG' as const,
          allowed: true,
          limit: null,
          value: null,
          startsAt: null,
          expiresAt,
          note: null,
          createdAt: day(9),
          updatedAt: day(9),
          setBy: null,
        }
      : null
  const catalog = {
    key,
    name: key.toUpperCase(),
    kind: 'FLAG' as const,
    valueType: null,
    options: null,
    description: '',
    position: null,
  }
  return { ...catalog, entitlement, beneath: null, override, planGrant: null }
}

const delivered: Delivery = {
  change: 'newest',
  state: 'DELIVERED',
  eventId: 'evt_1',
  occurredAt: day(0.5),
  deliveredAt: day(0),
  nextAttemptAt: null,
  pausedAt: null,
}
const created = change({ group: 'g1', back: 30, cause: 'SUBSCRIBER', plan: null, by: 'Billing sync' }, null, [])
const subscribed = change({ group: 'g2', back: 30, cause: 'SUBSCRIPTION', plan: 'business' }, 'a', ['NONE', 'PLAN'])
const moved = ['a', 'b', 'c'].map((key) =>
  change(
    { group: 'g3', back: 1, cause: 'SUBSCRIPTION', plan: 'free', by: 'Billing sync' },
    key,
    key === 'c' ? ['NONE', 'PLAN'] : ['PLAN', 'NONE'],
  ),
)
const ended = change({ group: 'g4', back: 0.5, cause: 'EXPIRY', plan: 'free' }, 'a', ['OVERRIDE', 'NONE'])

function facts(changed: Partial<StoryFacts>): StoryFacts {
  return {
    features: [feature('a', 'NONE'), feature('b', 'NONE'), feature('c', 'PLAN')],
    plan: 'free',
    plans: [
      { key: 'free', name: 'Free', archivedAt: null },
      { key: 'business', name: 'Business', archivedAt: null },
    ],
    changes: [ended, ...moved, subscribed, created],
    hasMore: false,
    scheduled: [],
    deliveries: [delivered],
    labels: ['webhooks:read', 'subscribers:write', 'overrides:write', 'plans:write'],
    role: 'admin',
    now,
    ...changed,
  }
}

const linesOf = (changed: Partial<StoryFacts>) => {
  const { present, past } = toStory(facts(changed))
  return [...present, ...past].map(({ text, remedy }) => [text, remedy?.text ?? null])
}

describe('the story of a subscriber', () => {
  it('has one line for each change, newest first, with the action that would restore lost features', () => {
    expect(linesOf({})).toEqual([
      ['Your product was told of the newest change', 'See the delivery'],
      ['A: the override expired, from on to off', 'Override it again'],
      ['Moved from Business to Free by Billing sync: 2 features lost, 1 gained', 'Change back to Business'],
      ['Subscribed to Business: A gained', null],
      ['Created by Billing sync', null],
    ])
    const { past } = toStory(facts({}))
    expect(past.map(({ changes }) => changes.length)).toEqual([0, 3, 0, 0])
  })

  it('says that changes were not delivered, that the plan is archived, and which overrides expire soon', () => {
    const lines = linesOf({
      features: [feature('a', 'OVERRIDE', day(-2))],
      plans: [{ key: 'free', name: 'Free', archivedAt: day(3) }],
      changes: [],
      deliveries: [{ ...delivered, state: 'PAUSED', pausedAt: day(1) }],
    })
    expect(lines).toEqual([
      ['Your product has not been told of the newest change: deliveries are paused', 'Resume deliveries'],
      ['Plan Free is archived: it stays, but nobody can subscribe to it again', 'Change the plan'],
      [expect.stringMatching(/^The override of A expires on Thursday at \d\d:\d\d$/), 'Extend it'],
    ])
    const two = linesOf({
      features: [feature('a', 'OVERRIDE', day(-2)), feature('b', 'OVERRIDE', day(-1))],
      changes: [],
    })
    expect(two.slice(1).map(([text]) => text?.slice(0, 21))).toEqual(['The override of B exp', 'The override of A exp'])
    const many = linesOf({
      features: ['a', 'b', 'c', 'd'].map((key, index) => feature(key, 'OVERRIDE', day(-1 - index))),
      changes: [],
    })
    expect(many.at(-1)).toEqual(['4 overrides expire within 7 days, A first', 'See them'])
  })

  it('lists overrides that start later, soonest first, and no overrides that have expired', () => {
    const scheduled = (key: string, startsAt: string | null, expiresAt: string | null) => {
      const { override } = feature(key, 'OVERRIDE', expiresAt)
      return override ? [{ ...override, startsAt }] : []
    }
    const scheduledFacts = {
      changes: [],
      scheduled: [
        ...scheduled('b', day(-20), null),
        ...scheduled('a', day(-2), day(-9)),
        ...scheduled('c', null, day(1)),
      ],
    }
    expect(linesOf(scheduledFacts).slice(1)).toEqual([
      [
        expect.stringMatching(/^An override of A \(on\) starts on Thursday at \d\d:\d\d, and expires on 3 December$/),
        'Start it now',
      ],
      [expect.stringMatching(/^An override of B \(on\) starts on 14 December at \d\d:\d\d$/), 'Start it now'],
    ])
    expect(linesOf({ ...scheduledFacts, role: 'viewer', labels: [] }).at(-1)?.[1]).toBe(
      'Start it now: your role, viewer, cannot do this',
    )
  })

  it('says what it hides from the role, and what the role may not do', () => {
    const support = { role: 'support', labels: ['subscribers:write', 'overrides:write'] }
    expect(linesOf(support)[0]).toEqual([
      'Your product was told of the newest change',
      'Your role, support, cannot see deliveries',
    ])
    expect(linesOf({ ...support, deliveries: [{ ...delivered, state: 'FAILED' }] })[0]?.[1]).toBe(
      'Your role, support, cannot see deliveries: a developer or an admin can help',
    )
    expect(linesOf({ role: 'viewer', labels: [] })[1]?.[1]).toBe('Override it again: your role, viewer, cannot do this')
  })

  it('says that a change of the plan was not delivered, and what to do about it', () => {
    const changePlan = (back: number) =>
      change({ group: `g5 ${back}`, back, cause: 'PLAN', plan: 'free', by: 'Ada' }, 'a', ['PLAN', 'NONE'])
    const changes = [changePlan(0.1), changePlan(0.2), changePlan(0.4), ...moved, subscribed, created]
    const { change: _, ...own } = delivered
    const deliveriesOf = (state: Delivery['state'], pausedAt: string | null = null) =>
      toDeliveries({ ...own, planChange: { ...own, state, occurredAt: day(0.1), deliveredAt: null, pausedAt } })
    const planText = 'Plan Free was changed by Ada: A lost'
    const texts = (deliveries: Delivery[]) => linesOf({ changes, deliveries }).map(([text]) => text)

    expect(linesOf({ changes, deliveries: deliveriesOf('FAILED') }).slice(0, 3)).toEqual([
      [
        'Your product was never told of the plan’s newest change: it accepted none of the attempts',
        'See why, and send it again',
      ],
      [`${planText} · your product has not been told`, 'Revert it on Free'],
      [planText, null],
    ])
    expect(texts(deliveriesOf('PAUSED', day(0.3))).slice(0, 4)).toEqual([
      'Your product has not been told of the plan’s newest change: deliveries are paused',
      `${planText} · your product has not been told`,
      `${planText} · your product has not been told`,
      planText,
    ])
    expect(texts(deliveriesOf('DELIVERED')).slice(0, 2)).toEqual([
      'Your product was told of the plan’s newest change',
      planText,
    ])
  })

  it('says whether the newest events of subscriber and plan were delivered, with a shared reason only once', () => {
    const { change: _, ...own } = delivered
    const texts = (state: Delivery['state'], ofPlan: Delivery['state'], at = day(1)) =>
      toDeliveries({ ...own, state, planChange: { ...own, state: ofPlan, occurredAt: at } }).map((delivery) =>
        describeDelivery(delivery),
      )

    expect(texts('DELIVERED', 'DELIVERED')).toEqual(['Your product was told of the newest change'])
    expect(texts('PAUSED', 'PAUSED')).toEqual([
      'Your product has not been told of the newest change: deliveries are paused',
    ])
    expect(texts('DELIVERED', 'FAILED')).toEqual([
      'Your product was told of the newest change',
      'Your product was never told of the plan’s newest change: it accepted none of the attempts',
    ])
    expect(texts('FAILED', 'DELIVERED', day(0.1))).toEqual([
      'Your product was told of the plan’s newest change',
      'Your product was never told of an earlier change: it accepted none of the attempts',
    ])
    expect(texts('NONE', 'QUEUED')).toEqual(['Your product is being told of the plan’s newest change'])
  })

  it('counts losses as "at least" if not all changes have been read, and proposes no action', () => {
    expect(linesOf({ changes: moved, hasMore: true }).at(-1)).toEqual([
      'Moved to Free by Billing sync: at least 2 features lost, 1 gained',
      null,
    ])
  })

  it('can be saved as a text file that lists each change and has names beside ids', () => {
    const subject = { subscriberId: 'cus_1001', name: 'Acme / Inc.' }
    expect(exportFileName(['story', subject.name, subject.subscriberId], now)).toBe(
      'story-Acme-Inc.-cus_1001-2026-11-24',
    )
    const text = printStory(subject, facts({}))
    expect(text).toContain('What happened to Acme / Inc. (cus_1001)')
    expect(text).toContain(
      '2026-11-23 09:00:00 UTC  Moved from Business to Free by Billing sync: 2 features lost, 1 gained',
    )
    expect(text).toContain('    Remedy: Change back to Business')
    expect(text).toContain('    B (b): on to off')
  })

  it('shows both values of a single change in its line, except JSON, which can be expanded', () => {
    const limit = (value: number | null, source: Entitlement['source']): Entitlement => ({
      ...{ ...flag('seats', source), kind: 'LIMIT', allowed: value !== 0, limit: value },
    })
    const plan = { group: 'g7', back: 0.2, cause: 'PLAN', plan: 'free', by: 'Ada' } as const
    const sides = (from: Entitlement, to: Entitlement) => ({ from: { entitlement: from }, to: { entitlement: to } })
    const lineOf = (single: Change) => toStory(facts({ changes: [single] })).past[0]

    const lowered = lineOf({ ...change(plan, 'seats', ['PLAN', 'PLAN']), ...sides(limit(3, 'PLAN'), limit(1, 'PLAN')) })
    expect(lowered).toMatchObject({ text: 'Plan Free was changed by Ada: seats lowered from 3 to 1', changes: [] })
    const overridden = change({ ...plan, cause: 'OVERRIDE' }, 'a', ['NONE', 'OVERRIDE'])
    expect(lineOf(overridden)).toMatchObject({ text: 'A: overridden by Ada, from off to on', changes: [] })
    const config = (value: unknown): Entitlement => ({ ...flag('theme', 'PLAN'), kind: 'CONFIG', value })
    const moved = lineOf({ ...change(plan, 'region', ['PLAN', 'PLAN']), ...sides(config('eu'), config('us')) })
    expect(moved).toMatchObject({ text: 'Plan Free was changed by Ada: region changed from “eu” to “us”', changes: [] })
    const themed = lineOf({ ...change(plan, 'theme', ['PLAN', 'PLAN']), ...sides(config({ a: 1 }), config({ a: 2 })) })
    expect(themed).toMatchObject({
      text: 'Plan Free was changed by Ada: theme changed',
      changes: [{ feature: 'theme' }],
    })
  })

  it('lists changes of JSON key by key in the text file', () => {
    const config = (value: unknown): Entitlement => ({ ...flag('theme', 'PLAN'), kind: 'CONFIG', value })
    const planChange = { group: 'g6', back: 0.2, cause: 'PLAN', plan: 'free' } as const
    const themed = {
      ...change(planChange, 'theme', ['PLAN', 'PLAN']),
      from: { entitlement: config({ accent: 'blue', dense: true }) },
      to: { entitlement: config({ accent: 'red', beta: [1] }) },
    }
    const text = printStory(
      { subscriberId: 'a', name: null },
      facts({ changes: [themed, change(planChange, 'a', ['NONE', 'PLAN'])] }),
    )
    expect(text.split('\n').filter((line) => line.startsWith('    ') && !line.includes('Remedy'))).toEqual([
      '    theme (theme): {…} 2 keys to {…} 2 keys',
      '        accent from "blue" to "red"',
      '        dense removed: true',
      '        beta added: [1]',
      '    A (a): off to on',
    ])
  })

  it('can be saved as a table with a row for each change, including its cause and the names beside ids', () => {
    const subject = { subscriberId: 'cus_1001', name: 'Acme' }
    const rows = toStoryRows(subject, facts({}))
    expect(rows).toHaveLength(7)
    expect(rows[0]).toMatchObject({ kind: 'now', what: 'Your product was told of the newest change' })
    expect(rows.find(({ feature: key, change_id }) => key === 'b' && change_id === 'g3')).toEqual({
      ...{ at: day(1), kind: 'change', subscriber_id: 'cus_1001', subscriber_name: 'Acme' },
      what: 'Moved from Business to Free by Billing sync: 2 features lost, 1 gained',
      ...{ by: 'Billing sync', member_id: 'M Billing sync', remedy: 'Change back to Business' },
      ...{ feature: 'b', feature_name: 'B', effect: 'lost', from: 'on', to: 'off' },
      ...{ plan_id: 'free', plan_name: 'Free', note: null, change_id: 'g3' },
    })
  })
})
