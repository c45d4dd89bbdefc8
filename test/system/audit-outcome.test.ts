import { afterEach, describe, expect, it } from 'vitest'
import { startServiceBehindProxy } from '../support/behind-proxy.ts'
import { holdOrganization } from '../support/hold-locks.ts'
import { requestId } from '../support/matchers.ts'
import { type Caller, startService } from '../support/service.ts'
import { findUnlistedEntries } from '../support/unlisted-entries.ts'

const { proxy, service, direct } = await startServiceBehindProxy()

afterEach(() => expect.poll(() => findUnlistedEntries(direct)).toEqual([]))

const seats = { key: 'seats', name: 'Seats', kind: 'limit' }
const createSeats = (admin: Caller) => admin.rest('POST', '/org/features', seats)

async function entriesOf({ organizationId }: Caller) {
  const { rows } = await direct.query(
    `select outcome, status, created_id from audit_event where organization_id = $1 order by audit_event_id`,
    [organizationId],
  )
  return rows
}

async function hasSeats({ organizationId }: Caller): Promise<boolean> {
  const { rowCount } = await direct.query('select from feature where organization_id = $1', [organizationId])
  return rowCount === 1
}

const unavailable = {
  status: 503,
  body: {
    error: {
      type: 'api_error',
      code: 'SERVICE_UNAVAILABLE',
      message: expect.any(String),
      request_id: requestId,
      details: null,
    },
  },
}
const applied = { outcome: 'responded', status: 201, created_id: 'seats' }
const notApplied = { outcome: 'responded', status: 503, created_id: null }

describe('a COMMIT without a reply', () => {
  it('that never reached the database makes the write fail with 503: the entry says so, and nothing changes', async () => {
    const admin = await service.organization()

    void proxy.trapNextCommit('seats', 'cut before commit')
    const answer = await createSeats(admin)

    expect(answer).toMatchObject(unavailable)
    expect(answer.body.error.message).toContain('Nothing was changed')
    expect(await entriesOf(admin)).toEqual([notApplied])
    expect(await hasSeats(admin)).toBe(false)
    expect(await createSeats(admin)).toMatchObject({ status: 201 })
  })

  it('that the database executed is a success like any other', async () => {
    const admin = await service.organization()

    void proxy.trapNextCommit('seats', 'cut after commit')
    const answer = await createSeats(admin)

    expect(answer).toMatchObject({ status: 201, body: seats })
    expect(await entriesOf(admin)).toEqual([applied])
    expect(await hasSeats(admin)).toBe(true)
  })

  it('delays the answer only until the audit entry has been read back', async () => {
    const admin = await service.organization()

    void proxy.trapNextCommit('seats', 'hold after commit')
    const answer = await createSeats(admin)

    expect(answer).toMatchObject({ status: 201, body: seats })
    expect(await entriesOf(admin)).toEqual([applied])
    proxy.cutHeld()
  })

  it('sets an unreadable entry to no_response once the database answers again, if the COMMIT was not executed', async () => {
    const admin = await service.organization()

    void proxy.trapNextCommit('seats', 'cut before commit').then(() => proxy.refuseConnections())
    const answer = await createSeats(admin)
    expect(answer).toMatchObject(unavailable)
    expect(answer.body.error.message).toContain('do not know')
    expect(await entriesOf(admin)).toEqual([{ outcome: 'pending', status: null, created_id: null }])
    proxy.open()

    await expect.poll(() => entriesOf(admin)).toEqual([{ outcome: 'no_response', status: null, created_id: null }])
    expect(await hasSeats(admin)).toBe(false)
  })

  it('leaves an unreadable entry as responded, if the COMMIT was executed', async () => {
    const admin = await service.organization()

    void proxy.trapNextCommit('seats', 'cut after commit').then(() => proxy.refuseConnections())
    const answer = await createSeats(admin)
    proxy.open()

    expect(answer).toMatchObject(unavailable)
    expect(answer.body.error.message).toContain('do not know')
    expect(await hasSeats(admin)).toBe(true)
    // All earlier late outcomes are recorded, because a later entry of the same process has its outcome.
    const other = await service.organization()
    void proxy.trapNextCommit('seats', 'cut before commit').then(() => proxy.refuseConnections())
    await createSeats(other)
    proxy.open()
    await expect.poll(() => entriesOf(other)).toMatchObject([{ outcome: 'no_response' }])
    expect(await entriesOf(admin)).toEqual([applied])
  })

  it('that never arrives is rolled back by the database early enough for its entry to get status 503', async () => {
    const admin = await service.organization()

    void proxy.trapNextCommit('seats', 'lose before commit')
    const answer = await createSeats(admin)
    proxy.cutHeld()

    expect(answer).toMatchObject(unavailable)
    expect(answer.body.error.message).toContain('Nothing was changed')
    expect(await entriesOf(admin)).toEqual([notApplied])
    expect(await hasSeats(admin)).toBe(false)
  })

  it('leaves its entry pending while its transaction is open, because the write may still commit', async () => {
    // This database lets a transaction stay idle for longer than its writer tries to read the entry back.
    const patient = new URL(proxy.url)
    patient.searchParams.set('idle_in_transaction_session_timeout', '60000')
    const { organization } = await startService({ DATABASE_URL: patient.href })
    const admin = await organization()

    void proxy.trapNextCommit('seats', 'lose before commit')
    const answer = await createSeats(admin)
    expect(answer).toMatchObject(unavailable)
    expect(answer.body.error.message).toContain('do not know')
    expect(await entriesOf(admin)).toEqual([{ outcome: 'pending', status: null, created_id: null }])
    proxy.cutHeld()

    await expect.poll(() => entriesOf(admin)).toMatchObject([{ outcome: 'no_response' }])
    expect(await hasSeats(admin)).toBe(false)
  })
})

describe('a write that fails because the database becomes unreachable', () => {
  it('is answered with 503, and its entry gets 503 once the database answers', async () => {
    const admin = await service.organization()
    const release = await holdOrganization(direct, admin.organizationId)

    const answering = createSeats(admin)
    await expect.poll(() => entriesOf(admin)).toMatchObject([{ outcome: 'pending' }])
    proxy.refuseConnections()
    const answer = await answering
    await release()
    proxy.open()

    expect(answer).toMatchObject(unavailable)
    await expect.poll(() => entriesOf(admin)).toEqual([notApplied])
    expect(await hasSeats(admin)).toBe(false)
  })
})
