import { describe, expect, it } from 'vitest'
import type { ChangeEvent } from '../../src/client/change-event.ts'
import { Semaphore } from '../../src/fairness/semaphore.ts'
import { WaitingRequest } from '../../src/operation/follow.ts'
import { RelayChanges } from '../../src/relay/changes.ts'
import { follow } from '../../src/relay/follow.ts'
import { openStream } from '../changes/event-stream.ts'
import { startClient, startVendor } from '../support/client.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { relayToken, startRelay, type TestRelay } from '../support/relay.ts'
import { send, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const service = await startService()
const check = '/org/subscribers/acme/entitlements/check'

const untilReady = (relay: TestRelay) =>
  until(async () => (await send(`${relay.url}/readyz`, 'GET')).body.status === 'ready')

async function startVendorRelay(env: Record<string, string> = {}) {
  const { admin, access } = await startVendor(service)
  const relay = await startRelay(access, env)
  await untilReady(relay)
  return { admin, access, relay, ...vendor(admin) }
}

const seats = (limit: number) => ({ kind: 'limit', limit })

describe('the changes of a relay', () => {
  it('are those of the service, byte for byte, but have cursors of the relay', async () => {
    const { relay, access, override } = await startVendorRelay()
    const { body: start } = await relay.caller.rest('GET', '/org/changes')
    expect(start).toMatchObject({ changes: [], has_more: false, reset: false })
    const own = await fetch(`${access.baseUrl}/org/changes`, { headers: { 'x-api-key': access.apiKey } })
    const { cursor } = (await own.json()) as { cursor: string }

    await override('acme', 'seats', seats(9))

    const next = async (url: string, key: string, after: string) => {
      const answer = await fetch(`${url}/org/changes?wait=20&after=${after}`, { headers: { 'x-api-key': key } })
      return (await answer.text()).replace(/"cursor":"[^"]*"/, '')
    }
    expect(await next(relay.url, relayToken, start.cursor)).toBe(await next(access.baseUrl, access.apiKey, cursor))
  })

  it('are returned page by page', async () => {
    const { relay, override } = await startVendorRelay()
    const { body: start } = await relay.caller.rest('GET', '/org/changes')
    for (const limit of [1, 2, 3]) await override('acme', 'seats', seats(limit))
    await until(
      async () => (await relay.caller.rest('GET', `/org/changes?after=${start.cursor}`)).body.changes.length === 3,
    )

    const first = await relay.caller.rest('GET', `/org/changes?limit=2&after=${start.cursor}`)
    const second = await relay.caller.rest('GET', `/org/changes?limit=2&after=${first.body.cursor}`)

    expect(first.body).toMatchObject({ changes: [{}, {}], has_more: true })
    expect(second.body).toMatchObject({ changes: [{}], has_more: false })
  })

  it('start over for a cursor of the service or of another relay, and refuse text that is not a cursor', async () => {
    const { relay, access } = await startVendorRelay()
    const other = await startRelay(access)
    await untilReady(other)
    const { body: ofOther } = await other.caller.rest('GET', '/org/changes')
    const ofService = await fetch(`${access.baseUrl}/org/changes`, { headers: { 'x-api-key': access.apiKey } })
    const { cursor } = (await ofService.json()) as { cursor: string }

    for (const after of [cursor, ofOther.cursor]) {
      expect((await relay.caller.rest('GET', `/org/changes?after=${after}`)).body).toMatchObject({
        changes: [],
        reset: true,
      })
    }
    expectInvalid(await relay.caller.rest('GET', '/org/changes?after=no'), ['after', /cursor/])
  })

  it("are streamed once the relay's answers include them", async () => {
    const { relay, override } = await startVendorRelay()
    const stream = await openStream(`${relay.url}/org/changes`, {
      'x-api-key': relayToken,
      accept: 'text/event-stream',
    })
    await until(() => stream.events.some(({ event }) => event === 'ready'))
    await relay.caller.rest('POST', check, { feature: 'seats' })

    await override('acme', 'seats', seats(9))

    await until(() => stream.events.some(({ event }) => event === 'entitlements.stale'))
    expect((await relay.caller.rest('POST', check, { feature: 'seats' })).body.limit).toBe(9)
    await until(() => stream.events.some(({ event }) => event === 'alive'))
    const { id } = stream.events.at(-1) ?? { id: '' }
    const resumed = await openStream(`${relay.url}/org/changes`, {
      'x-api-key': relayToken,
      accept: 'text/event-stream',
      'last-event-id': id,
    })
    await until(() => resumed.events.length > 0)
    expect(resumed.events[0]?.event).toBe('ready')
  })

  it('are followed by an alive event if the upstream sent one with them', async () => {
    const changes = new RelayChanges()
    const ending = new AbortController()
    const pages: number[] = []
    const following = new WaitingRequest({}, ending.signal, async (page) => {
      pages.push(page.changes.length)
      if (pages.length === 3) ending.abort()
    })
    const options = {
      changes,
      knowledge: { silentMs: 0 },
      slots: new Semaphore({ ofOne: 1, ofAll: 1 }),
      ending: ending.signal,
    }

    const ended = follow(options, following)
    await until(() => pages.length === 1)
    changes.changed({ type: 'catalog.updated' } as ChangeEvent)
    changes.alive()
    await ended

    expect(pages).toEqual([0, 1, 0])
  })

  it('are 503 for a poll if the upstream became silent while it waited', async () => {
    const knowledge = { silentMs: 0 }
    const ending = new AbortController()
    const options = {
      changes: new RelayChanges(),
      knowledge,
      slots: new Semaphore({ ofOne: 1, ofAll: 1 }),
      ending: ending.signal,
    }

    const polling = follow(options, new WaitingRequest({ wait: 1 }, ending.signal))
    knowledge.silentMs = 11_000

    await expect(polling).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  it('have at most MAX_FOLLOWERS followers', async () => {
    const { relay } = await startVendorRelay({ MAX_FOLLOWERS: '1' })
    const stream = await openStream(`${relay.url}/org/changes`, {
      'x-api-key': relayToken,
      accept: 'text/event-stream',
    })
    await until(() => stream.events.length > 0)

    expectRefusal(await relay.caller.rest('GET', '/org/changes?wait=5'), 'RATE_LIMITED', { retry_after_seconds: 5 })
  })
})

describe("OpenFeature's event stream", () => {
  it('tells a client with a token in the address when to evaluate again', async () => {
    const { relay, override } = await startVendorRelay()
    const stream = await openStream(`${relay.url}/ofrep/v1/events?token=${relayToken}`, {})

    await until(async () => {
      await override('acme', 'seats', seats(Math.ceil(Math.random() * 1_000)))
      return stream.events.some(({ data }) => data === '{"type":"refetchEvaluation"}')
    })
  })
})

describe('a client that asks a relay', () => {
  it('learns of a change and answers with it', async () => {
    const { relay, override } = await startVendorRelay()
    const { entitlements } = startClient({ baseUrl: relay.url, apiKey: relayToken })
    await entitlements.waitUntilReady()
    expect(await entitlements.limit('acme', 'seats')).toBe(5)

    await override('acme', 'seats', seats(9))

    await until(async () => (await entitlements.limit('acme', 'seats')) === 9)
    expect(await entitlements.checkDetail('acme', 'seats')).toMatchObject({ from: 'cache' })
  })

  it('agrees with clients of another relay, of a relay that follows a relay, and of the service', async () => {
    const { relay, access, override } = await startVendorRelay()
    const behind = await startRelay({ baseUrl: relay.url, apiKey: relayToken })
    const beside = await startRelay(access)
    for (const each of [behind, beside]) await untilReady(each)
    const clients = [relay, behind, beside].map(
      ({ url }) => startClient({ baseUrl: url, apiKey: relayToken }).entitlements,
    )
    clients.push(startClient(access).entitlements)
    for (const client of clients) await client.waitUntilReady()

    for (const limit of [9, 8, 7]) {
      await override('acme', 'seats', seats(limit))
      await until(async () => {
        const answers = await Promise.all(clients.map((client) => client.limit('acme', 'seats')))
        return answers.every((answer) => answer === limit)
      })
    }
  })
})
