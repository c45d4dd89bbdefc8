import { encodeTime } from 'ulidx'
import { expect, it } from 'vitest'
import { Entitlements } from '../../src/client/entitlements.ts'
import { silenceMs } from '../../src/client/feed.ts'
import type { Environment, FetchAnswer, FetchInit } from '../../src/client/platform.ts'
import { loadRelayConfig } from '../../src/config.ts'
import { Semaphore } from '../../src/fairness/semaphore.ts'
import { WaitingRequest } from '../../src/operation/follow.ts'
import { type Answer, Answers } from '../../src/relay/answers.ts'
import { RelayChanges } from '../../src/relay/changes.ts'
import { follow } from '../../src/relay/follow.ts'
import { RelayCache } from '../../src/relay/relay-cache.ts'
import { snapshotText } from '../../src/relay/texts.ts'
import { followUpstream } from '../../src/relay/upstream.ts'
import { toSentEvent } from '../client/world/service.ts'
import { maxAnswerAgeMs, type Subject, World } from '../client/world/world.ts'
import { firstSeed, randomRuns } from '../support/random.ts'

/*
 * Random interleavings of checks, changes, restarts and broken connections, in virtual time: no answer of a relay, or of a
 * client that asks a relay, may be older than promised.
 */

const stepsOfRun = 24
/** Half as many as in other random tests: a run takes 60 ms of a quiet processor. */
const runs = Math.ceil(randomRuns / 2)
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const config = loadRelayConfig({ RELAY_UPSTREAM_URL: 'http://service', ENTITLEMENTS_API_KEY: 'ent_key' })
/** The longest time to the relay, and the longest time back. */
const travelMs = 200
/** A second more than these times, because `Age` is in whole seconds. */
const maxAgeBehindRelayMs = maxAnswerAgeMs + 2 * travelMs + 1_000

/** A relay without its routes. */
function createRelay(environment: Environment, maxSubscribers: number) {
  const changes = new RelayChanges()
  const cache = new RelayCache(maxSubscribers, () => {})
  const options = { config, cache, logger: silent, ready() {}, follower: changes, environment }
  const knowledge = followUpstream(options)
  return { changes, knowledge, answers: new Answers({ knowledge, config, recall: async () => null }) }
}

/** A relay as the subject of a world, which writes nothing through the relay and sends it no webhooks. */
function startRelay(environment: Environment, maxSubscribers: number): Subject {
  const { answers, knowledge } = createRelay(environment, maxSubscribers)
  return {
    async checkDetail(id, feature) {
      const { from, entry } = await answers.find(id).catch(() => ({ from: 'none', entry: null }))
      return { value: entry?.items.get(feature)?.value, from: from === 'upstream' ? 'network' : from }
    },
    handleWebhook: async () => ({ status: 400, event: null }) as never,
    api: { putOverride: () => Promise.reject(new Error('A relay takes no writes.')) as never },
    close: async () => knowledge.close(),
  }
}

/** A client that asks a relay. */
function startChain(environment: Environment): Subject {
  const { answers, changes, knowledge } = createRelay(environment, 100)
  const ending = new AbortController()
  const slots = new Semaphore({ ofOne: 100, ofAll: 100 })
  const travel = () => new Promise<void>((resolve) => environment.later(environment.random() * travelMs, resolve))

  function toAnswer(status: number, text: string, headers: Record<string, string> = {}): FetchAnswer {
    const id = `req_${encodeTime(Math.floor(knowledge.clock.now()), 10)}${'0'.repeat(16)}`
    const all = new Map(Object.entries({ ...headers, 'x-request-id': id }))
    return { status, headers: { get: (name) => all.get(name) ?? null }, body: null, text: async () => text }
  }
  const headersOf = ({ from, ageMs }: Pick<Answer, 'from' | 'ageMs'>) => ({
    'x-entitlements-from': from,
    ...(Number.isFinite(ageMs) && { age: String(Math.floor(ageMs / 1_000)) }),
  })
  const unavailable = () => toAnswer(503, '{"error":{"code":"SERVICE_UNAVAILABLE","message":""}}')

  function openStream(after: string | undefined, signal: AbortSignal): FetchAnswer {
    if (knowledge.silentMs > silenceMs) return unavailable()
    const chunks: string[] = []
    let wake = () => {}
    let isFirst = true
    const sendChanges = async ({ changes: heard, cursor, isReset }: Awaited<ReturnType<typeof follow>>) => {
      const own = isReset ? 'reset' : isFirst ? 'ready' : 'alive'
      isFirst = false
      const data = JSON.stringify({ cursor })
      const first = own !== 'alive' || heard.length === 0 ? toSentEvent(cursor, own, data) : ''
      chunks.push(first + heard.map(({ type, body }) => toSentEvent(cursor, type, body)).join(''))
      environment.later(environment.random() * travelMs, () => wake())
    }
    const options = { changes, knowledge, slots, ending: ending.signal }
    follow(options, new WaitingRequest({ after }, signal, sendChanges)).catch(() => {})
    const age = String(Math.ceil(Math.min(knowledge.silentMs, silenceMs) / 1_000))
    const read = async (): Promise<{ done: boolean; value?: Uint8Array }> => {
      while (chunks.length === 0 && !signal.aborted && !ending.signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve
          signal.addEventListener('abort', () => resolve())
        })
      }
      const chunk = chunks.shift()
      return chunk === undefined ? { done: true } : { done: false, value: new TextEncoder().encode(chunk) }
    }
    return { ...toAnswer(200, '', { age }), body: { getReader: () => ({ read, cancel: async () => {} }) } }
  }

  async function answer(url: string, { body, headers = {}, signal }: FetchInit): Promise<FetchAnswer> {
    const { pathname } = new URL(url)
    if (pathname === '/org/changes') return openStream(headers['last-event-id'], signal as AbortSignal)
    const ids: string[] = body === undefined ? [pathname.split('/')[3] ?? ''] : JSON.parse(body).subscriber_ids
    try {
      const found = await Promise.all(ids.map((id) => answers.find(id)))
      const texts = found.map(({ entry }) => (entry.snapshot ? snapshotText(entry.snapshot) : ''))
      const oldest = found.find(({ from }) => from === 'last-known') ?? (found[0] as Answer)
      const ageMs = Math.max(...found.map((each) => each.ageMs))
      const text = body === undefined ? (texts[0] as string) : `{"snapshots":[${texts}],"unknown":[],"left":[]}`
      return toAnswer(200, text, headersOf({ ...oldest, ageMs }))
    } catch {
      return unavailable()
    }
  }

  const fetch = async (url: string, init: FetchInit): Promise<FetchAnswer> => {
    await travel()
    const answered = await answer(url, init)
    await travel()
    return answered
  }
  const client = new Entitlements(
    { baseUrl: 'http://relay', apiKey: 'token', logger: silent },
    { ...environment, fetch },
  )
  return {
    checkDetail: (id, feature) => client.checkDetail(id, feature),
    handleWebhook: async () => ({ status: 400, event: null }) as never,
    api: { putOverride: () => Promise.reject(new Error('A relay takes no writes.')) as never },
    async close() {
      ending.abort()
      knowledge.close()
      await client.close()
    },
  }
}

async function expectFresh(begin: (seed: number) => World): Promise<void> {
  let checks = 0
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const world = begin(seed)
    for (let step = 0; step < stepsOfRun; step += 1) await world.step()
    await world.end()
    checks += world.pending.length
    expect(world.findings, `SEED=${seed} RANDOM_RUNS=1`).toEqual([])
  }
  expect(checks).toBeGreaterThan(runs)
}

it.each([100_000, 1])(
  'no answer is older than the changes that the relay has received, in random interleavings, with a cache for %i',
  (maxSubscribers) =>
    expectFresh(
      (seed) => new World(seed, { freshness: 'feed' }, (_, environment) => startRelay(environment, maxSubscribers)),
    ),
)

it('no answer of a client behind a relay is older than the limits of both allow, in random interleavings', () =>
  expectFresh(
    (seed) =>
      new World(
        seed,
        { freshness: 'feed' },
        (_, environment) => startChain(environment),
        (at) => at - maxAgeBehindRelayMs,
      ),
  ))
