import { describe, expect, it } from 'vitest'
import { createVault } from '../../src/core/vault.ts'
import { batchLeaseMs, testLeaseMs } from '../../src/events/batch-lease.ts'
import { timestamp } from '../support/matchers.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type RepeatedWrite, sendOnce } from '../support/repeated.ts'
import { type Caller, sharedService, startService } from '../support/service.ts'

const service = await sharedService()
const { prisma } = service.database

const url = 'https://receiver.example/hook?a=1'
const secret = expect.stringMatching(/^whsec_[0-9A-Za-z]{43}$/)
const absent = { resource: 'webhook', id: null }

async function organizationWithWebhook(): Promise<Caller & { secret: string }> {
  const caller = await service.organization()
  const { body } = await caller.rest('PUT', '/org/webhook', { url })
  return { ...caller, secret: body.secret }
}

/** The newest entry of the organization's audit log. */
async function lastEntry({ organizationId }: Caller) {
  const entry = await prisma.auditEvent.findFirstOrThrow({ where: { organizationId }, orderBy: { id: 'desc' } })
  const { method, route, outcome, status, createdId } = entry
  return { method, route, outcome, status, createdId, details: entry.details && JSON.parse(entry.details) }
}

/** Queued events by id, in the order in which they are due. */
async function loadQueuedEvents({ organizationId }: Caller) {
  const where = { organizationId, state: 'queued' as const }
  return prisma.webhookEvent.findMany({ where, orderBy: [{ dueAt: 'asc' }, { id: 'asc' }] })
}

async function queueSome(caller: Caller, count: number): Promise<void> {
  await caller.rest('POST', '/org/features', { key: 'f', name: 'f', kind: 'flag' })
  for (let i = 0; i < count; i++) {
    await caller.rest('POST', '/org/subscribers', { subscriber_id: `s${i}` })
    await caller.rest('PUT', `/org/subscribers/s${i}/overrides/f`, { kind: 'flag', allowed: true })
  }
}

describe('PUT /org/webhook', () => {
  it('creates the endpoint and shows its secret once', async () => {
    const caller = await service.organization()

    const answer = await caller.rest('PUT', '/org/webhook', { url, ignored: true })

    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      url,
      secret,
      secret_prefix: answer.body.secret.slice(0, 12),
      disabled: false,
      created_at: timestamp,
      updated_at: answer.body.created_at,
    })
    const { secret: _, ...shown } = answer.body
    expect((await caller.rest('GET', '/org/webhook')).body).toEqual(shown)
    expect(await lastEntry(caller)).toEqual({
      method: 'PUT',
      route: '/org/webhook',
      outcome: 'responded',
      status: 200,
      createdId: null,
      details: { url, secret_prefix: shown.secret_prefix },
    })
  })

  it('keeps the secret when the url is replaced, and does not show it', async () => {
    const caller = await organizationWithWebhook()
    const before = await caller.rest('GET', '/org/webhook')

    const answer = await caller.rest('PUT', '/org/webhook', { url: 'http://other.example' })

    expect(answer.body).toEqual({ ...before.body, url: 'http://other.example', updated_at: timestamp })
    expect(answer.body.updated_at > before.body.updated_at).toBe(true)
    expect(await lastEntry(caller)).toMatchObject({ details: { url: { from: url, to: 'http://other.example' } } })
  })

  it('resumes a paused endpoint, even with the same url', async () => {
    const caller = await organizationWithWebhook()
    await caller.rest('POST', '/org/webhook/disable')

    const answer = await caller.rest('PUT', '/org/webhook', { url })

    expect(answer.body).toMatchObject({ url, disabled: false })
    expect(await lastEntry(caller)).toMatchObject({ details: { disabled: { from: true, to: false } } })
  })

  it('changes nothing if the url is the same', async () => {
    const caller = await organizationWithWebhook()
    const before = await caller.rest('GET', '/org/webhook')

    const answer = await caller.rest('PUT', '/org/webhook', { url })

    expect(answer.body).toEqual(before.body)
    expect(await lastEntry(caller)).toMatchObject({ status: 200, details: null })
  })

  it('creates one endpoint for simultaneous puts, and shows its secret once', async () => {
    const caller = await service.organization()

    const answers = await Promise.all(Array.from({ length: 6 }, () => caller.rest('PUT', '/org/webhook', { url })))

    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(answers.filter(({ body }) => 'secret' in body)).toHaveLength(1)
  })

  it.each([
    ['ftp://receiver.example/hook'],
    ['receiver.example/hook'],
    ['//receiver.example/hook'],
    ['http:receiver.example'],
    ['https://'],
    ['https:///path'],
    ['https://receiver.example:99999/'],
    ['https://exa mple.com/'],
    [' https://receiver.example/'],
    ['https://receiver.example/\n'],
    ['https:\\\\receiver.example'],
    ['https://user:password@receiver.example/'],
    ['https://user@receiver.example/'],
    ['https://@receiver.example/'],
    [`https://receiver.example/${'x'.repeat(2024)}`],
    [''],
    [null],
    [7],
    [['https://receiver.example/']],
  ])('is 422 at url for %j', async (wrong) => {
    const caller = await service.organization()

    const answer = await caller.rest('PUT', '/org/webhook', { url: wrong })

    expectInvalid(answer, ['url', /^url must/])
    expectRefusal(await caller.rest('GET', '/org/webhook'), 'NOT_FOUND', absent)
  })

  it.each([
    [`https://receiver.example/${'x'.repeat(2048 - 25)}`],
    ['http://127.0.0.1:8080/hook'],
    ['HTTPS://Receiver.Example/a@b?c=@d#e'],
    ['https://bücher.example/ü'],
    ['http://[::1]:3000'],
  ])('accepts %s unchanged', async (right) => {
    const caller = await service.organization()

    expect((await caller.rest('PUT', '/org/webhook', { url: right })).body).toMatchObject({ url: right })
    expect((await caller.rest('GET', '/org/webhook')).body).toMatchObject({ url: right })
  })

  it.each([
    'http://127.0.0.1:8080/hook',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://10.1.2.3/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]:3000',
    'http://[::ffff:10.0.0.1]/',
    'http://localhost:3000/',
    'http://LOCALHOST./',
    'https://a.localhost/',
  ])('is 422 at url for %s if webhooks may be sent only to public addresses', async (inner) => {
    const strict = await startService({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'false' })
    const caller = await strict.organization()

    expectInvalid(await caller.rest('PUT', '/org/webhook', { url: inner }), [
      'url',
      /^url must lead to a public address/,
    ])
    expectRefusal(await caller.rest('GET', '/org/webhook'), 'NOT_FOUND', absent)
    expect((await caller.rest('PUT', '/org/webhook', { url: 'https://8.8.8.8/hook' })).status).toBe(200)
  })

  it('is 422 if url is missing or misspelled', async () => {
    const caller = await service.organization()

    expectInvalid(await caller.rest('PUT', '/org/webhook', {}), ['url', /^url is required/])
    expectInvalid(await caller.rest('PUT', '/org/webhook', undefined), ['url', /^url is required/])
    expectInvalid(await caller.rest('PUT', '/org/webhook', { urll: url }), ['urll', /did you mean "url"/])
  })
})

describe('the secret', () => {
  it('is stored encrypted, bound to its organization', async () => {
    const caller = await organizationWithWebhook()

    const { rows } = await service.database.pool.query<{ secret: Buffer; row: string }>(
      'select secret, endpoint::text as row from webhook_endpoint endpoint where organization_id = $1',
      [caller.organizationId],
    )

    const sealed = rows[0]?.secret as Buffer
    expect(rows[0]?.row).not.toContain(Buffer.from(caller.secret).toString('hex'))
    expect(sealed.toString('latin1')).not.toContain(caller.secret.slice(6))
    const vault = createVault(new Uint8Array(32).fill(7))
    expect(vault.decrypt('webhook-secret', caller.organizationId, sealed)).toBe(caller.secret)
    expect(() => vault.decrypt('webhook-secret', 'another', sealed)).toThrow()
  })

  it('is replaced by rotate, which answers with the new secret', async () => {
    const caller = await organizationWithWebhook()
    const before = await caller.rest('GET', '/org/webhook')

    const answer = await caller.rest('POST', '/org/webhook/rotate')

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ...before.body,
      secret,
      secret_prefix: answer.body.secret.slice(0, 12),
      updated_at: timestamp,
    })
    expect(answer.body.secret).not.toBe(caller.secret)
    expect(await lastEntry(caller)).toMatchObject({
      details: { secret_prefix: { from: before.body.secret_prefix, to: answer.body.secret_prefix } },
    })
  })

  it('is not in any audit entry', async () => {
    const caller = await organizationWithWebhook()
    const { body } = await caller.rest('POST', '/org/webhook/rotate')

    const entries = JSON.stringify(
      await prisma.auditEvent.findMany({ where: { organizationId: caller.organizationId } }),
    )

    expect(entries).toContain(body.secret_prefix)
    expect(entries).not.toContain(body.secret)
    expect(entries).not.toContain(caller.secret)
  })
})

describe('pausing', () => {
  it('disables and enables the endpoint, and changes nothing when repeated', async () => {
    const caller = await organizationWithWebhook()
    const on = (await caller.rest('GET', '/org/webhook')).body

    const paused = await caller.rest('POST', '/org/webhook/disable')
    expect(paused.status).toBe(200)
    expect(paused.body).toEqual({ ...on, disabled: true, updated_at: timestamp })
    expect(await lastEntry(caller)).toMatchObject({ details: { disabled: { from: false, to: true } } })

    expect((await caller.rest('POST', '/org/webhook/disable')).body).toEqual(paused.body)
    expect(await lastEntry(caller)).toMatchObject({ details: null })

    const resumed = await caller.rest('POST', '/org/webhook/enable')
    expect(resumed.body).toEqual({ ...on, disabled: false, updated_at: timestamp })
    expect(await lastEntry(caller)).toMatchObject({ details: { disabled: { from: true, to: false } } })

    expect((await caller.rest('POST', '/org/webhook/enable')).body).toEqual(resumed.body)
    expect(await lastEntry(caller)).toMatchObject({ details: null })
  })

  it('does not stop events from being queued', async () => {
    const caller = await organizationWithWebhook()
    await caller.rest('POST', '/org/webhook/disable')

    await queueSome(caller, 2)

    expect(await loadQueuedEvents(caller)).toHaveLength(2)
  })

  it.each([
    ['enable', (caller: Caller) => caller.rest('POST', '/org/webhook/enable')],
    ['put', (caller: Caller) => caller.rest('PUT', '/org/webhook', { url })],
  ])(
    'ends with %s: queued events are due at once, keep order and attempts, and the failure count is 0',
    async (_, resume) => {
      const caller = await organizationWithWebhook()
      const { organizationId } = caller
      await queueSome(caller, 4)
      const [a, b, c, d] = (await loadQueuedEvents(caller)).map(({ id }) => id) as [string, string, string, string]
      const later = new Date(Date.now() + 3_600_000)
      const due = (id: string, dueAt: Date, attempts: number) =>
        prisma.webhookEvent.update({ where: { organizationId_id: { organizationId, id } }, data: { dueAt, attempts } })
      await due(a, later, 5)
      await due(b, later, 2)
      await due(c, new Date(later.getTime() - 1), 1)
      await prisma.webhookEndpoint.update({
        where: { organizationId },
        data: { disabled: true, disabledAt: new Date(), exhaustedInARow: 8 },
      })

      expect((await resume(caller)).body).toMatchObject({ disabled: false })

      const events = await loadQueuedEvents(caller)
      expect(events.map(({ id }) => id)).toEqual([d, c, a, b])
      expect(events.map(({ attempts }) => attempts)).toEqual([0, 1, 5, 2])
      expect(events.every(({ dueAt }) => (dueAt as Date).getTime() <= Date.now())).toBe(true)
      const endpoint = await prisma.webhookEndpoint.findUniqueOrThrow({ where: { organizationId } })
      expect(endpoint).toMatchObject({ disabled: false, disabledAt: null, exhaustedInARow: 0 })
    },
  )

  it('must precede a resume: enabling or replacing an active endpoint does not change when its events are due', async () => {
    const caller = await organizationWithWebhook()
    const { organizationId } = caller
    await queueSome(caller, 1)
    const dueAt = new Date(Date.now() + 3_600_000)
    await prisma.webhookEvent.updateMany({ where: { organizationId }, data: { dueAt, attempts: 3 } })
    await prisma.webhookEndpoint.update({ where: { organizationId }, data: { exhaustedInARow: 5 } })

    await caller.rest('POST', '/org/webhook/enable')
    await caller.rest('PUT', '/org/webhook', { url: 'https://other.example/' })

    expect((await loadQueuedEvents(caller)).map((event) => event.dueAt)).toEqual([dueAt])
    const endpoint = await prisma.webhookEndpoint.findUniqueOrThrow({ where: { organizationId } })
    expect(endpoint.exhaustedInARow).toBe(5)
  })
})

describe('DELETE /org/webhook', () => {
  it('removes the endpoint and its events; nothing is queued from then on, or for a later endpoint', async () => {
    const caller = await organizationWithWebhook()
    await queueSome(caller, 2)

    const answer = await caller.rest('DELETE', '/org/webhook')

    expect(answer).toMatchObject({ status: 204, body: undefined })
    expect(await lastEntry(caller)).toMatchObject({ status: 204, details: null })
    expectRefusal(await caller.rest('GET', '/org/webhook'), 'NOT_FOUND', absent)
    await caller.rest('DELETE', '/org/subscribers/s0')
    await caller.rest('PUT', '/org/webhook', { url })
    expect(await loadQueuedEvents(caller)).toEqual([])
  })

  it('also removes the events of writes that run at the same time', async () => {
    const caller = await organizationWithWebhook()
    await queueSome(caller, 5)

    await Promise.all([
      ...[0, 1, 2, 3, 4].map((i) => caller.rest('DELETE', `/org/subscribers/s${i}`)),
      caller.rest('DELETE', '/org/webhook'),
    ])

    expect(await loadQueuedEvents(caller)).toEqual([])
  })
})

describe('the answer to a change of the endpoint', () => {
  const changes: [string, (caller: Caller) => Promise<unknown>][] = [
    ['a pause', (caller) => caller.rest('POST', '/org/webhook/disable')],
    ['a rotation', (caller) => caller.rest('POST', '/org/webhook/rotate')],
    ['a new address', (caller) => caller.rest('PUT', '/org/webhook', { url: 'http://other.example' })],
    ['a deletion', (caller) => caller.rest('DELETE', '/org/webhook')],
  ]
  const measureMs = async (change: Promise<unknown>) => {
    const start = performance.now()
    await change
    return performance.now() - start
  }
  const leaseQueue = ({ organizationId }: Caller, milliseconds: number) => {
    const data = { organizationId, owner: 'worker', leaseUntil: new Date(Date.now() + milliseconds) }
    return prisma.webhookLane.create({ data })
  }

  it.each(changes)("waits, for %s, until a worker's batch lease has expired", async (_, change) => {
    const caller = await organizationWithWebhook()
    await leaseQueue(caller, 6_000)

    expect(await measureMs(change(caller))).toBeGreaterThan(batchLeaseMs.atLeast)
  })

  it.each<RepeatedWrite>([
    ['POST', '/org/webhook/disable'],
    ['DELETE', '/org/webhook'],
  ])('waits too if %s %s is repeated with an Idempotency-Key', async (...change) => {
    const caller = await organizationWithWebhook()
    await sendOnce(service.url, caller, change, 'k')
    await leaseQueue(caller, 6_000)

    const repetition = sendOnce(service.url, caller, change, 'k')

    expect(await measureMs(repetition)).toBeGreaterThan(batchLeaseMs.atLeast)
    expect(await repetition).toMatchObject({ replayed: 'true' })
  })

  it('waits, for a repeated deletion, until a test that the deletion may have removed can no longer be sent', async () => {
    const caller = await organizationWithWebhook()
    await sendOnce(service.url, caller, ['DELETE', '/org/webhook'], 'k')

    const repetition = sendOnce(service.url, caller, ['DELETE', '/org/webhook'], 'k')

    expect(await measureMs(repetition)).toBeGreaterThan(testLeaseMs)
    expect(await repetition).toMatchObject({ status: 204, replayed: 'true' })
  })

  it('does not wait when no worker leases the delivery queue', async () => {
    const caller = await organizationWithWebhook()
    await leaseQueue(caller, -1)

    // On a busy machine, a single request may take as long as a wait for a lease: try until one is faster.
    await expect.poll(() => measureMs(caller.rest('POST', '/org/webhook/rotate'))).toBeLessThan(batchLeaseMs.atLeast)
  })
})

describe('concurrent writes', () => {
  it('do not block each other if some queue events and others change the endpoint', async () => {
    const caller = await organizationWithWebhook()
    await queueSome(caller, 12)
    const changes = ['disable', 'enable', 'rotate', 'test', 'disable', 'enable', 'disable', 'enable']

    const answers = await Promise.all([
      ...Array.from({ length: 12 }, (_, i) => caller.rest('DELETE', `/org/subscribers/s${i}/overrides/f`)),
      ...changes.map((change) => caller.rest('POST', `/org/webhook/${change}`)),
      ...Array.from({ length: 4 }, (_, i) => caller.rest('PUT', '/org/webhook', { url: `${url}&i=${i}` })),
    ])

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 200, 201]))
    expect(await loadQueuedEvents(caller)).toHaveLength(25)
  })
})

describe('without an endpoint', () => {
  it.each([
    ['GET', '/org/webhook'],
    ['POST', '/org/webhook/rotate'],
    ['POST', '/org/webhook/disable'],
    ['POST', '/org/webhook/enable'],
    ['DELETE', '/org/webhook'],
    ['POST', '/org/webhook/test'],
  ])('%s %s is 404', async (method, path) => {
    const caller = await service.organization()

    expectRefusal(await caller.rest(method, path), 'NOT_FOUND', absent)
  })
})
