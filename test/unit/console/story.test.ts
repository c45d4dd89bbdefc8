import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../src/console/components/delivery-status/use-delivery.ts'
import type { ExplainedFeature } from '../../../src/console/pages/subscribers/features/explained.ts'
import type { Change } from '../../../src/console/pages/subscribers/history/changes.ts'
import { printStory, storyFileName } from '../../../src/console/pages/subscribers/story/print-story.ts'
import { type Facts, tellStory } from '../../../src/console/pages/subscribers/story/story.ts'

type Entitlement = ExplainedFeature['entitlement']

const now = new Date('2026-11-24T09:00:00.000Z')
const day = (back: number) => new Date(now.getTime() - back * 86_400_000).toISOString()

function flag(feature: string, source: Entitlement['source'], expiresAt: string | null = null): Entitlement {
  return { feature, kind: 'FLAG', allowed: source !== 'NONE', limit: null, value: null, source, expiresAt }
}

type Given = { group: string; back: number; cause: Change['cause']; plan: string | null; by?: string }

/** A change of a flag from one source to another; null for the creation. */
function change(
  { group, back, cause, plan, by }: Given,
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
    by: by === undefined ? null : { displayName: by },
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
  state: 'DELIVERED',
  eventId: 'evt_1',
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

function facts(given: Partial<Facts>): Facts {
  return {
    features: [feature('a', 'NONE'), feature('b', 'NONE'), feature('c', 'PLAN')],
    plan: 'free',
    plans: [
      { key: 'free', name: 'Free', archivedAt: null },
      { key: 'business', name: 'Business', archivedAt: null },
    ],
    changes: [ended, ...moved, subscribed, created],
    hasMore: false,
    delivery: delivered,
    labels: ['webhooks:read', 'subscribers:write', 'overrides:write', 'plans:write'],
    role: 'admin',
    now,
    ...given,
  }
}

const linesOf = (given: Partial<Facts>) => {
  const { present, past } = tellStory(facts(given))
  return [...present, ...past].map(({ text, remedy }) => [text, remedy?.text ?? null])
}

describe('the story of a subscriber', () => {
  it('folds each change into one line, newest first, with what would bring back what is lost', () => {
    expect(linesOf({})).toEqual([
      ['Your product was told of the newest change', 'See the delivery'],
      ['A: the override expired', 'Override it again'],
      ['Moved from Business to Free by Billing sync: 2 features lost, 1 gained', 'Change back to Business'],
      ['Subscribed to Business: A gained', null],
      ['Created by Billing sync', null],
    ])
    const { past } = tellStory(facts({}))
    expect(past.map(({ changes }) => changes.length)).toEqual([0, 3, 0, 0])
  })

  it('says that the product was not told, that the plan is archived, and which overrides end soon', () => {
    const lines = linesOf({
      features: [feature('a', 'OVERRIDE', day(-2))],
      plans: [{ key: 'free', name: 'Free', archivedAt: day(3) }],
      changes: [],
      delivery: { ...delivered, state: 'PAUSED', pausedAt: day(1) },
    })
    expect(lines).toEqual([
      ['Your product has not been told of the newest change: deliveries are paused', 'Resume deliveries'],
      ['Plan Free is archived: it stays, but nobody can subscribe to it again', 'Change the plan'],
      ['The override of A expires on 26 November', 'Extend it'],
    ])
    const two = linesOf({
      features: [feature('a', 'OVERRIDE', day(-2)), feature('b', 'OVERRIDE', day(-1))],
      changes: [],
    })
    expect(two.at(-1)).toEqual(['2 overrides expire within 7 days, B first', 'See them'])
  })

  it('says to each role what it does not show and cannot do', () => {
    const support = { role: 'support', labels: ['subscribers:write', 'overrides:write'] }
    expect(linesOf(support)[0]).toEqual([
      'Your product was told of the newest change',
      'Your role, support, does not show deliveries',
    ])
    expect(linesOf({ ...support, delivery: { ...delivered, state: 'FAILED' } })[0]?.[1]).toBe(
      'Your role, support, does not show deliveries: a developer or an admin can help',
    )
    expect(linesOf({ role: 'viewer', labels: [] })[1]?.[1]).toBe('Override it again: your role, viewer, cannot do this')
  })

  it('does not guess what has not been read', () => {
    expect(linesOf({ changes: moved, hasMore: true }).at(-1)).toEqual([
      'Moved to Free by Billing sync: at least 2 features lost, 1 gained',
      null,
    ])
  })

  it('is a text file with each change and the name beside the id', () => {
    const subject = { subscriberId: 'cus_1001', name: 'Acme / Inc.' }
    expect(storyFileName(subject, now)).toBe('story-Acme-Inc.-cus_1001-2026-11-24.txt')
    const text = printStory(subject, facts({}))
    expect(text).toContain('What happened to Acme / Inc. (cus_1001)')
    expect(text).toContain(
      '2026-11-23 09:00:00 UTC  Moved from Business to Free by Billing sync: 2 features lost, 1 gained',
    )
    expect(text).toContain('    Remedy: Change back to Business')
    expect(text).toContain('    B (b): on to off')
  })
})
