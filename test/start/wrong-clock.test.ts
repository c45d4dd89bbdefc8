import { decodeTime } from 'ulidx'
import { describe, expect, it, onTestFinished } from 'vitest'
import { administer } from '../support/administer.ts'
import { startIssuer } from '../support/issuer.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { startReceiver } from '../support/receiver.ts'
import { callerOf, send } from '../support/service.ts'
import { runCommand, startServer } from './server-process.ts'

const hours = 3_600_000
/**
 * How far a time in an answer may be from the real time on a slow machine. It is much less than the two hours by which the
 * machine's own clock is wrong.
 */
const slackMs = 60_000
const preload = new URL('../support/wrong-clock.ts', import.meta.url).pathname

const issuer = await startIssuer()

/** A whole server, and the command that created its organization, on a machine whose clock is off by this much. */
async function startWithWrongClock(aheadMs: number) {
  const databaseUrl = await createOwnDatabase()
  const env = {
    DATABASE_URL: databaseUrl,
    NODE_OPTIONS: `--import=${preload}`,
    CLOCK_AHEAD_MS: `${aheadMs}`,
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    ...issuer.env,
  }
  const { stdout } = await runCommand('org-create', ['--name', 'Acme', '--json'], env)
  const created = JSON.parse(stdout)
  const identity = { organizationId: created.organization_id, memberId: created.member_id, key: created.api_key }
  const server = await startServer({ env })
  return { server, identity, caller: callerOf(server.url, identity), databaseUrl }
}

describe.each([
  ['ahead', 2 * hours],
  ['behind', -2 * hours],
])('a process whose clock is two hours %s', (is, aheadMs) => {
  it("uses the database's time to sign, store and answer, including in ids, and logs the difference once", async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const from = Date.now() - slackMs
    const { server, identity, caller, databaseUrl } = await startWithWrongClock(aheadMs)
    await caller.rest('PUT', '/org/webhook', { url: receiver.url })
    await caller.rest('POST', '/org/features', { key: 'f', name: 'F', kind: 'flag' })
    await caller.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    const override = { kind: 'flag', allowed: true, expires_at: new Date(Date.now() + hours).toISOString() }
    const { headers, body: put } = await caller.rest('PUT', '/org/subscribers/ann/overrides/f', override)
    await administer(databaseUrl, 'update override set expires_at = clock_timestamp()')
    const imported = `${JSON.stringify({ subscriber_id: 'ben' })}\n`
    expect((await caller.rest('POST', '/org/subscribers/import', imported)).status).toBe(200)
    const account = { email: 'ada@example.org', password: 'correct horse', display_name: 'Ada' }
    const { body: signedUp } = await caller.rest('POST', '/user/sign-up', account)

    // Valid for ten minutes, by the clock of its issuer.
    const outside = { authorization: `Bearer ${await issuer.token({ sub: 'bob' })}` }
    expect((await send(`${server.url}/user`, 'GET', undefined, outside)).status).toBe(200)

    // The events of the override and of its expiry.
    const events = await receiver.waitFor(2)
    const { body: log } = await caller.rest('GET', '/org/audit-events')
    const to = Date.now() + slackMs

    const timeOf = (at: string) => new Date(at).getTime()
    const claims = JSON.parse(Buffer.from(signedUp.token.split('.')[1], 'base64url').toString())
    const times = {
      'organization id': decodeTime(identity.organizationId),
      'member id': decodeTime(identity.memberId),
      'user id': decodeTime(signedUp.user_id),
      'token issued': claims.iat * 1000,
      'token expires': claims.exp * 1000 - hours,
      'request id': decodeTime(String(headers.get('x-request-id')).slice(4)),
      date: timeOf(String(headers.get('date'))),
      'override id': decodeTime(put.id),
      created: timeOf(put.created_at),
    }
    const entries = log.audit_events.flatMap((entry: { id: string; occurred_at: string; request_id: string }) => [
      decodeTime(entry.id),
      timeOf(entry.occurred_at),
      decodeTime(entry.request_id.slice(4)),
    ])
    const receivedTimes = events.flatMap(({ id, headers, body }) => [
      decodeTime(id),
      Number(headers['x-service-webhook-timestamp']) * 1000,
      timeOf(JSON.parse(body).occurred_at),
    ])
    const isClockRight = (at: number) => at >= from && at <= to
    expect(Object.entries(times).filter(([, at]) => !isClockRight(at))).toEqual([])
    expect([...entries, ...receivedTimes].filter((at) => !isClockRight(at))).toEqual([])
    expect(entries.length).toBeGreaterThanOrEqual(6 * 3)
    const lines = server
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const notices = lines.filter(({ msg }) => msg.includes("this machine's clock differs from the database's"))
    expect(notices).toEqual([expect.objectContaining({ level: 40, is, seconds: expect.any(Number) })])
    expect(Math.abs(notices[0].seconds * 1000 - 2 * hours)).toBeLessThan(slackMs)
  })
})
