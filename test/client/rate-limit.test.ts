import { encodeTime } from 'ulidx'
import { expect, it } from 'vitest'
import { Entitlements } from '../../src/client/entitlements.ts'
import { createEntitlements } from '../../src/client/index.ts'
import type { FetchInit } from '../../src/client/platform.ts'
import { atEnd } from '../support/at-end.ts'
import { limitOf } from '../support/limit-of.ts'
import { until } from '../support/until.ts'
import { settle, VirtualTime } from './world/virtual-time.ts'

const answerMs = 20

/**
 * Starts a client whose service answers after 20 ms. After a call of `limit`, the service refuses requests with 429 for the
 * time given. With `overrideMs`, each subscriber has an override that ends after this time.
 */
function start({ overrideMs = 0 } = {}) {
  const time = new VirtualTime()
  const endsAt = time.now + overrideMs
  let [limitedUntil, retryAfter] = [Number.NEGATIVE_INFINITY, '1']
  const answer = (status: number, body: object) => {
    const values: Record<string, string> = { 'x-request-id': `req_${encodeTime(time.now, 10)}` }
    if (status === 429) values['retry-after'] = retryAfter
    const headers = { get: (name: string) => values[name] ?? null }
    return { status, headers, body: null, text: async () => JSON.stringify(body) }
  }
  const fetch = async (_url: string, { body, signal }: FetchInit) => {
    const isLimited = time.now < limitedUntil
    await new Promise<void>((resolve, reject) => {
      time.later(answerMs, resolve)
      ;(signal as AbortSignal).addEventListener('abort', () => reject(new Error('aborted')))
    })
    if (isLimited) return answer(429, { error: { code: 'RATE_LIMITED', message: 'Too many requests.' } })
    const ids: string[] = body ? JSON.parse(body).subscriber_ids : ['s']
    const end = endsAt > time.now ? new Date(endsAt).toISOString() : null
    const entitlements = [end === null ? item : { ...item, source: 'override', expires_at: end }]
    const snapshots = ids.map((subscriber_id) => ({ subscriber_id, plan: null, entitlements, valid_until: end }))
    return answer(200, body ? { snapshots, unknown: [], left: [] } : (snapshots[0] as object))
  }
  const environment = { fetch, later: time.later, now: () => time.now, random: () => 0.5 }
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const options = { baseUrl: 'http://service', apiKey: 'ent_key', freshness: { seconds: 60 }, logger }
  const entitlements = new Entitlements(options, environment)
  const events: string[] = []
  for (const name of ['unavailable', 'rate_limited'] as const) entitlements.on(name, () => events.push(name))
  const limit = (ms: number, seconds: string) => {
    limitedUntil = time.now + ms
    retryAfter = seconds
  }
  /** When and how the check of each subscriber was answered. */
  const answers = new Map<string, { afterMs: number; from: string; problem: string | null }>()
  const check = (id: string) => {
    const startedAt = time.now
    entitlements.checkDetail(id, 'sso').then(({ from, problem }) => {
      answers.set(id, { afterMs: time.now - startedAt, from, problem })
    })
  }
  return { time, limit, check, answers, events }
}

const item = { feature: 'sso', kind: 'flag', allowed: true, source: 'plan', expires_at: null }

it('a waiting check is answered within its time limit, even if the rate limit refuses another check meanwhile', async () => {
  const { time, limit, check, answers } = start()
  limit(1_000, '30')
  check('first')
  await time.pass(10)
  check('second')
  await time.pass(2_100)
  await settle()

  expect(answers.get('second')).toMatchObject({ from: 'default', problem: 'rate_limited' })
  expect(answers.get('second')?.afterMs).toBeLessThanOrEqual(2_000)
})

it('a rate limit does not count as an outage for checks that are close to their time limit', async () => {
  const { time, limit, check, answers, events } = start()
  limit(1_500, '1')
  // All checks wait until the second refusal has ended, when the first checks have hardly any time left.
  for (let n = 0; n < 100; n += 1) {
    check(`s${n}`)
    await time.pass(20)
  }
  await time.pass(3_000)
  await settle()

  expect(events).toEqual(['rate_limited'])
  const problems = [...answers.values()].map(({ problem }) => problem)
  expect(answers.size).toBe(100)
  expect(problems).not.toContain('unavailable')
  expect(Math.max(...[...answers.values()].map(({ afterMs }) => afterMs))).toBeLessThanOrEqual(2_000)
})

it('a check waits for the end of the rate limit if an override in the cached answer has ended', async () => {
  const { time, limit, check, answers } = start({ overrideMs: 5_000 })
  check('first')
  await time.pass(6_000)
  expect(answers.get('first')).toMatchObject({ from: 'network' })
  limit(500, '1')
  check('second')
  await time.pass(100)
  check('first')
  await time.pass(2_000)
  await settle()

  expect(answers.get('first')).toMatchObject({ from: 'network', problem: null })
})

// 150,000 checks take twelve seconds on two cores that also run other work.
it('150,000 checks may wait for the end of the rate limit when it refuses another request', {
  timeout: limitOf(120_000),
}, async () => {
  const pending: PromiseWithResolvers<Response>[] = []
  let isDown = false
  const fetch = () => {
    if (isDown) return Promise.reject(new Error('down'))
    const request = Promise.withResolvers<Response>()
    pending.push(request)
    return request.promise
  }
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const entitlements = createEntitlements({
    baseUrl: 'http://service',
    apiKey: 'ent_key',
    freshness: { seconds: 60 },
    timeoutMs: 10_000,
    fetch,
    logger,
  })
  atEnd(() => entitlements.close())
  const limited = new Promise<void>((resolve) => entitlements.on('rate_limited', () => resolve()))
  const checkMany = (count: number, name: string) =>
    Array.from({ length: count }, (_, n) => entitlements.checkDetail(`${name}${n}`, 'sso'))
  const refuse = (request: number) =>
    pending[request]?.resolve(new Response('{}', { status: 429, headers: { 'retry-after': '1' } }))
  const checks = checkMany(1, 'first')
  await until(() => pending.length === 1)
  checks.push(...checkMany(100, 'second'))
  await until(() => pending.length === 2)
  refuse(0)
  await limited
  const waiting = checkMany(150_000, 'waiting')

  refuse(1)
  isDown = true

  expect((await Promise.all([...checks, ...waiting])).every(({ problem }) => problem !== null)).toBe(true)
})
