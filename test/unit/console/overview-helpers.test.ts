import { describe, expect, it } from 'vitest'
import {
  daysOfMonth,
  formatMonth,
  formatUtcDay,
  monthAfter,
  monthBefore,
} from '../../../src/console/components/text/calendar.ts'
import { type FirstStepsAnswer, findPossibleCheck, listSteps } from '../../../src/console/pages/overview/first-steps.ts'
import { monthsBefore, toCsv } from '../../../src/console/pages/overview/months/months.ts'
import { findProblems, type ProblemReads } from '../../../src/console/pages/overview/problems.ts'
import { projectMonth } from '../../../src/console/pages/overview/projection.ts'

const usage = { month: '2026-11', used: 0, allotment: 1000, days: [] as { date: string; used: number }[] }

/** This many evals on each day before the tenth of November. */
function upToTheTenth(perDay: number) {
  const days = daysOfMonth('2026-11')
    .slice(0, 10)
    .map((date) => ({ date, used: perDay }))
  return { ...usage, days, used: perDay * 10 }
}

describe('the calendar', () => {
  it('knows the days, the name and the neighbors of a month', () => {
    expect(daysOfMonth('2028-02')).toHaveLength(29)
    expect([monthBefore('2026-01'), monthAfter('2026-12')]).toEqual(['2025-12', '2027-01'])
    expect([formatMonth('2026-11'), formatUtcDay('2026-11-05')]).toEqual(['November', '5 November'])
  })
})

describe('the projection for the end of the month', () => {
  it('is extrapolated from the last seven full days', () => {
    const { total, endsOn, expected } = projectMonth(upToTheTenth(10), [], '2026-11-10') ?? {}

    expect(total).toBe(300)
    expect(endsOn).toBeNull()
    expect(expected).toHaveLength(21)
    expect(expected?.[0]).toEqual({ date: '2026-11-10', used: 0 })
  })

  it('names the day on which the allotment will be used up', () => {
    expect(projectMonth(upToTheTenth(50), [], '2026-11-10')?.endsOn).toBe('2026-11-20')
    expect(projectMonth({ ...upToTheTenth(50), allotment: null }, [], '2026-11-10')?.endsOn).toBeNull()
  })

  it('uses the previous month early in a month, and is absent before the first full day', () => {
    const first = { ...usage, used: 1, days: [{ date: '2026-11-01', used: 1 }] }

    expect(projectMonth(first, [{ date: '2026-10-31', used: 20 }], '2026-11-01')?.total).toBe(600)
    expect(projectMonth(first, [], '2026-11-01')).toBeNull()
  })

  it('includes days without evals in its average', () => {
    const days = [
      { date: '2026-11-02', used: 40 },
      { date: '2026-11-05', used: 5 },
    ]

    // There were forty evals in three days, and five so far today.
    expect(projectMonth({ ...usage, used: 45, days }, [], '2026-11-05')?.total).toBe(45 + 8 + 25 * 13)
  })
})

describe('the previous months', () => {
  it('are the last eleven, across the turn of the year', () => {
    expect(Object.values(monthsBefore('2026-03-15')).join(' ')).toBe(
      '2026-02 2026-01 2025-12 2025-11 2025-10 2025-09 2025-08 2025-07 2025-06 2025-05 2025-04',
    )
  })

  it('can be saved as a file with a line for each day up to today, oldest first', async () => {
    const file = toCsv(
      [
        { month: '2026-03', days: [{ date: '2026-03-02', used: 7 }] },
        { month: '2026-02', days: [] },
      ],
      '2026-03-02',
    )
    const lines = (await file.text()).split('\r\n')

    expect(lines.slice(0, 2)).toEqual(['date,evals', '2026-02-01,0'])
    expect(lines.slice(-3)).toEqual(['2026-03-01,0', '2026-03-02,7', ''])
    expect(lines).toHaveLength(1 + 28 + 2 + 1)
  })
})

describe('the steps to the first check', () => {
  const first: FirstStepsAnswer = {
    features: [{ key: 'seats', name: 'Seats', kind: 'LIMIT' }],
    plans: [{ key: 'pro', name: 'Pro', updatedAt: '', grants: [] }],
    subscribers: { nodes: [{ subscriberId: 'acme', activeSubscription: null }] },
    subscribed: { nodes: [] },
    serviceAccounts: { nodes: [] },
  }
  const plansGranting = (limit: number | null) => [
    {
      key: 'pro',
      name: 'Pro',
      updatedAt: '',
      grants: [{ feature: 'seats', kind: 'LIMIT', limit, value: null } as const],
    },
  ]
  const onPro = { nodes: [{ subscriberId: 'acme', activeSubscription: { planId: 'pro' } }] }
  const doneSteps = (change: Partial<FirstStepsAnswer>) =>
    listSteps({
      usage: { evalUsage: usage, previous: { used: 0, days: [] } },
      first: { ...first, ...change },
      webhook: undefined,
    })
      .filter(({ isDone }) => isDone)
      .map(({ id }) => id)

  it('are not done while the plan grants nothing, or the subscriber may use nothing', () => {
    expect(doneSteps({})).toEqual(['feature'])
    expect(doneSteps({ plans: plansGranting(0), subscribed: onPro })).toEqual(['feature'])
    expect(doneSteps({ plans: plansGranting(null) })).toEqual(['feature', 'plan'])
    expect(doneSteps({ plans: plansGranting(5), subscribed: onPro })).toEqual(['feature', 'plan', 'subscriber'])
  })

  it('end with a check that is allowed', () => {
    expect(findPossibleCheck({ ...first, plans: plansGranting(5), subscribed: onPro })).toEqual({
      subscriberId: 'acme',
      feature: 'seats',
    })
    expect(findPossibleCheck({ ...first, plans: plansGranting(0), subscribed: onPro })).toBeNull()
  })
})

describe('the list of problems', () => {
  const now = new Date('2026-11-10T12:00:00Z')
  const noProblems: ProblemReads = {
    webhook: {
      url: 'https://a.example',
      disabled: false,
      disabledAt: null,
      disabledByFailures: false,
      exhaustedInARow: 0,
      failuresToPause: 8,
    },
    deliveries: {
      webhookEventCounts: { queued: 0, retrying: 0, failed: 0 },
      delivered: { nodes: [] },
      failed: { nodes: [] },
      waiting: { nodes: [] },
    },
    usage: { evalUsage: upToTheTenth(10), previous: { used: 0, days: [] } },
    counts: {
      counts: { features: null, plans: null, subscribers: null, pendingInvites: { value: 0, isExact: true } },
    },
    unusedKeys: { serviceAccounts: { nodes: [], pageInfo: { hasNextPage: false } } },
    now,
  }
  const problemIds = (change: Partial<ProblemReads>) => findProblems({ ...noProblems, ...change }).map(({ id }) => id)
  const pausedWebhook = {
    ...(noProblems.webhook as object),
    disabled: true,
    disabledAt: '2026-11-10T09:00:00Z',
  } as NonNullable<ProblemReads['webhook']>
  const deliveriesWith = (counts: object, more: object = {}) =>
    ({
      ...noProblems.deliveries,
      webhookEventCounts: { queued: 0, retrying: 0, failed: 0, ...counts },
      ...more,
    }) as NonNullable<ProblemReads['deliveries']>

  it('is empty when all is well, and when nothing can be read', () => {
    expect(problemIds({})).toEqual([])
    expect(
      problemIds({
        webhook: undefined,
        deliveries: undefined,
        usage: undefined,
        counts: undefined,
        unusedKeys: undefined,
      }),
    ).toEqual([])
    expect(problemIds({ webhook: null })).toEqual([])
  })

  it('distinguishes a pause caused by failures from a manual one', () => {
    expect(problemIds({ webhook: pausedWebhook })).toEqual(['paused-by-hand'])
    expect(problemIds({ webhook: { ...pausedWebhook, disabledByFailures: true } })).toEqual(['paused-by-failures'])
    const [problem] = findProblems({
      ...noProblems,
      webhook: pausedWebhook,
      deliveries: deliveriesWith({ queued: 1200 }),
    })
    expect(problem).toMatchObject({
      what: 'Deliveries have been paused manually',
      since: pausedWebhook.disabledAt,
      more: '1,200 events are waiting.',
    })
  })

  it('includes events that are due but not sent, unless deliveries are paused', () => {
    const deliveries = deliveriesWith({ queued: 2 }, { waiting: { nodes: [{ dueAt: '2026-11-10T11:00:00Z' }] } })

    expect(problemIds({ deliveries })).toEqual(['late-deliveries'])
    expect(problemIds({ deliveries, webhook: pausedWebhook })).toEqual(['paused-by-hand'])
    expect(
      problemIds({ deliveries: deliveriesWith({}, { waiting: { nodes: [{ dueAt: '2026-11-10T11:59:00Z' }] } }) }),
    ).toEqual([])
  })

  it('includes events that failed within the last week, and events that are being retried', () => {
    const failedDeliveries = (finishedAt: string, type = 'entitlements.stale') =>
      deliveriesWith({ failed: 3 }, { failed: { nodes: [{ type, finishedAt }] } })

    expect(problemIds({ deliveries: failedDeliveries('2026-11-09T00:00:00Z') })).toEqual(['failed-deliveries'])
    expect(problemIds({ deliveries: failedDeliveries('2026-11-01T00:00:00Z') })).toEqual([])
    expect(problemIds({ deliveries: failedDeliveries('2026-11-09T00:00:00Z', 'webhook.test') })).toEqual([])
    expect(problemIds({ deliveries: deliveriesWith({ queued: 1, retrying: 1 }) })).toEqual(['retried-deliveries'])
  })

  it('includes an allotment that is used up, or will be before the month ends', () => {
    const usageOf = (perDay: number) => ({ evalUsage: upToTheTenth(perDay), previous: { used: 0, days: [] } })
    const [ending] = findProblems({ ...noProblems, usage: usageOf(90) })

    expect(ending?.what).toBe('90% of the evals for November are used, on course to run out on 12 November')
    expect(problemIds({ usage: usageOf(100) })).toEqual(['allotment-used-up'])
  })

  it('includes unused keys, with a link to their account', () => {
    const unusedKeysOf = (count: number, hasNextPage = false) => ({
      serviceAccounts: {
        nodes: Array.from({ length: count }, (_, n) => ({ serviceAccountId: `${n}`, name: `Account ${n}` })),
        pageInfo: { hasNextPage },
      },
    })
    const [one] = findProblems({ ...noProblems, unusedKeys: unusedKeysOf(1) })
    const [many] = findProblems({ ...noProblems, unusedKeys: unusedKeysOf(20, true) })

    expect(one).toMatchObject({
      tone: 'warn',
      what: 'The service account “Account 0” has a key that has not been used for 90 days',
      to: { params: { serviceAccountId: '0' } },
    })
    expect(many).toMatchObject({
      what: 'At least 20 service accounts have keys that have not been used for 90 days, such as “Account 0”',
      to: { page: 'team', search: { tab: 'service-accounts' } },
    })
  })

  it('begins with the worst problem', () => {
    const counts = {
      counts: { features: null, plans: null, subscribers: null, pendingInvites: { value: 3, isExact: true } },
    }
    const deliveries = deliveriesWith(
      { queued: 1, retrying: 1, failed: 1 },
      { failed: { nodes: [{ type: 'entitlements.stale', finishedAt: '2026-11-10T11:00:00Z' }] } },
    )

    expect(problemIds({ counts, deliveries })).toEqual(['failed-deliveries', 'retried-deliveries', 'pending-invites'])
  })
})
