import { isDeepStrictEqual } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { FeatureUsage } from '../../src/gate/feature-usage/feature-usage.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

/** The service that reads the counts. Each test stops another service, which then writes its counts. */
const service = await startService()
const { pool } = service.database

beforeEach(waitIfNearMidnight)

const today = () => new Date().toISOString().slice(0, 10)
const path = '/org/eval-usage/features'

async function countAnswers(organizationId: string): Promise<number> {
  const { rows } = await pool.query(
    'select sum(granted + denied)::int as answers from feature_usage_day where organization_id = $1',
    [organizationId],
  )
  return rows[0].answers
}

async function organization() {
  const counting = await startService()
  const caller = await counting.organization()
  const setup = vendor(caller)
  await setup.features()
  await setup.plan('pro', { seats: { kind: 'limit', limit: 5 } })
  await setup.subscriber('acme', { name: 'Acme' })
  await setup.subscribe('acme', 'pro')
  await setup.subscriber('bolt')
  const check = (id: string, body: object) => caller.rest('POST', `/org/subscribers/${id}/entitlements/check`, body)
  /**
   * Stops the counting service, which then writes its counts, and resolves to the same caller at the other service. `answers` is
   * the number of answers that it counted: a stop gives up waiting for the write after two seconds, but the write goes on.
   */
  const stopAndMove = async (answers: number): Promise<Caller> => {
    await counting.stop()
    await until(async () => (await countAnswers(caller.organizationId)) === answers)
    const toOtherService = (sent: string) => sent.replace(counting.url, service.url)
    const headers = { 'x-api-key': caller.key }
    const send = async (method: string, at: string, body?: unknown) => {
      const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await fetch(toOtherService(`${service.url}${at}`), {
        method,
        headers: { ...headers, ...type },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, headers: answer.headers, body: await answer.json() }
    }
    return {
      ...caller,
      rest: (method, at, body) => send(method, at, body),
      graphql: (query, variables) => send('POST', '/graphql', { query, variables }),
    }
  }
  return { caller, setup, check, stopAndMove }
}

describe('the counts of evals by feature', () => {
  it('are kept by feature, day and answer; a check of several features counts for each, a snapshot for none', async () => {
    const { caller, check, stopAndMove } = await organization()
    await check('acme', { feature: 'seats' })
    await check('acme', { features: ['seats', 'sso'] })
    await check('bolt', { feature: 'seats' })
    await check('bolt', { feature: 'nothing' })
    await caller.rest('GET', '/org/subscribers/acme/entitlements')
    await caller.rest('POST', '/ofrep/v1/evaluate/flags/seats', { context: { targetingKey: 'acme' } })

    const reader = await stopAndMove(5)

    const [month] = [today().slice(0, 7)]
    const { status, body } = await reader.rest('GET', path)
    expect(status).toBe(200)
    expect(body).toMatchObject({ from: `${month}-01`, is_exact: false })
    expect(body.features).toEqual([
      { feature: 'seats', granted: 3, denied: 1, days: [{ date: today(), granted: 3, denied: 1 }] },
      { feature: 'sso', granted: 0, denied: 1, days: [{ date: today(), granted: 0, denied: 1 }] },
    ])
    expect((await reader.rest('GET', `${path}?feature=sso`)).body.features).toMatchObject([{ feature: 'sso' }])
    expect((await reader.rest('GET', `${path}?from=2026-01-01&to=2026-01-31`)).body.features).toEqual([])
    const query = '{ evalUsageByFeature(feature: "sso") { isExact features { feature denied days { date } } } }'
    expect((await reader.graphql(query)).body.data.evalUsageByFeature).toEqual({
      isExact: false,
      features: [{ feature: 'sso', denied: 1, days: [{ date: today() }] }],
    })
  })

  it('include the names of the subscribers denied most often, but no deleted subscribers', async () => {
    const { caller, setup, check, stopAndMove } = await organization()
    await setup.subscriber('gone')
    for (const id of ['bolt', 'acme', 'acme', 'gone']) await check(id, { feature: 'sso' })
    await check('acme', { feature: 'seats' })
    await caller.rest('DELETE', '/org/subscribers/gone')

    const reader = await stopAndMove(5)

    const subscribers = [
      { subscriber_id: 'acme', name: 'Acme', count: 2 },
      { subscriber_id: 'bolt', name: null, count: 1 },
    ]
    expect((await reader.rest('GET', '/org/features/sso/denials')).body).toEqual({ subscribers })
    expect((await reader.rest('GET', '/org/features/seats/denials')).body).toEqual({ subscribers: [] })
    const query = '{ features { key denials { subscriberId name count } } }'
    const found = (await reader.graphql(query)).body.data.features
    expect(found.find(({ key }: { key: string }) => key === 'sso').denials).toEqual(
      subscribers.map(({ subscriber_id: subscriberId, ...rest }) => ({ subscriberId, ...rest })),
    )
    const unknown = await reader.rest('GET', '/org/features/nothing/denials')
    expect(unknown.status).toBe(404)
  })

  it('cannot be read by callers without the label org:read', async () => {
    const { organizationId } = await service.organization()
    const evaluator = await service.member(organizationId, 'evaluator')

    expectRefusal(await evaluator.rest('GET', path), 'FORBIDDEN', { required_labels: ['org:read'] })
  })
})

describe('the period of a request for counts of evals', () => {
  it('has at most 92 days, and its first and last date must exist and be in order', async () => {
    const caller = await service.organization()
    const ask = (query: string) => caller.rest('GET', `${path}?${query}`)

    expect((await ask('from=2026-01-01&to=2026-04-02')).status).toBe(200)
    expectInvalid(await ask('from=2026-01-01&to=2026-04-03'), ['from', /at most 92 days/])
    expectInvalid(await ask('from=2026-02-02&to=2026-02-01'), ['from', /after to/])
    expectInvalid(await ask('from=2026-02-30'), ['from', /date/])
    expectInvalid(await ask('since=2026-02-30'), ['since', /Unknown query parameter/])
    expect((await ask('to=2026-02-10')).body).toMatchObject({ from: '2026-02-01', to: '2026-02-10' })
  })
})

/** A check of one feature. */
const toCountedCheck = (organizationId: string, feature: string, isAllowed: boolean) =>
  ({
    organizationId,
    countedAt: new Date(),
    forEachRequested: (visit: (feature: string, isAllowed: boolean) => void) => visit(feature, isAllowed),
  }) as never

const deniedTo = async (organizationId: string, feature: string) => {
  const { rows } = await pool.query(
    'select denied_to from feature_usage_day where organization_id = $1 and feature_key = $2',
    [organizationId, feature],
  )
  return rows[0]?.denied_to
}

it('two processes that count the same feature add to the same row', async () => {
  await waitIfNearMidnight()
  const caller = await service.organization()
  const { organizationId } = caller
  const [one, other] = [new FeatureUsage({ pool }), new FeatureUsage({ pool })]
  for (const usage of [one, other]) {
    for (let n = 0; n < 60; n++) usage.count(`s${n}`, toCountedCheck(organizationId, 'sso', false))
    for (const isAllowed of [false, false, true]) usage.count('often', toCountedCheck(organizationId, 'sso', isAllowed))
  }

  await Promise.all([one.close(), other.close()])

  await until(async () => (await countAnswers(organizationId)) === 126)
  const { body } = await caller.rest('GET', path)
  expect(body.features).toMatchObject([{ feature: 'sso', granted: 2, denied: 124 }])
  const stored = await deniedTo(organizationId, 'sso')
  expect(stored).toHaveLength(50)
  expect(stored.map(([id]: [string]) => id)).toContain('often')
})

it("each write of a process's counts adds only the evals since its previous write", async () => {
  const { organizationId } = await service.organization()
  const usage = new FeatureUsage({ pool, storeMs: 20 })
  const deny = (feature: string) => usage.count('acme', toCountedCheck(organizationId, feature, false))

  for (const count of [1, 2, 3]) {
    deny('sso')
    await until(async () => isDeepStrictEqual(await deniedTo(organizationId, 'sso'), [['acme', count]]))
  }
  for (const feature of ['seats', 'sso']) deny(feature)
  await until(async () => isDeepStrictEqual(await deniedTo(organizationId, 'seats'), [['acme', 1]]))
  await usage.close()

  await until(async () => isDeepStrictEqual(await deniedTo(organizationId, 'sso'), [['acme', 4]]))
})
