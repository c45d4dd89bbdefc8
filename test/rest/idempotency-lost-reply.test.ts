import { expect, it } from 'vitest'
import { startServiceBehindProxy } from '../support/behind-proxy.ts'
import { type RepeatedWrite, sendOnce } from '../support/repeated.ts'
import type { Caller } from '../support/service.ts'
import { auditOf } from '../support/state.ts'

const { proxy, service } = await startServiceBehindProxy()
const createSeats: RepeatedWrite = ['POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' }]
const sendWithKey = (caller: Caller) => sendOnce(service.url, caller, createSeats, 'k1')
const statusesOf = async ({ organizationId }: Caller) =>
  (await auditOf(service.database, organizationId)).map(({ status }) => status)

it('a write is answered with the same bytes as its repetition if the reply to its COMMIT was lost', async () => {
  const admin = await service.organization()
  void proxy.trapNextCommit('seats', 'cut after commit')

  const first = await sendWithKey(admin)

  expect(first).toMatchObject({ status: 201, replayed: null })
  expect(await sendWithKey(admin)).toMatchObject({ status: 201, replayed: 'true', text: first.text })
  expect(await statusesOf(admin)).toEqual([201])
})

it('the repetition of a write runs at once if COMMIT never arrived', async () => {
  const admin = await service.organization()
  void proxy.trapNextCommit('seats', 'cut before commit')

  expect(await sendWithKey(admin)).toMatchObject({ status: 503, replayed: null })
  expect(await sendWithKey(admin)).toMatchObject({ status: 201, replayed: null })
  expect(await sendWithKey(admin)).toMatchObject({ status: 201, replayed: 'true' })
  expect(await statusesOf(admin)).toEqual([503, 201])
})

it('no answer is stored if the statement for the audit entry got no reply, and a repetition runs', async () => {
  const admin = await service.organization()
  void proxy.trapNext('k1', 'cut before commit')

  expect(await sendWithKey(admin)).toMatchObject({ status: 503, replayed: null })
  expect(await sendWithKey(admin)).toMatchObject({ status: 201, replayed: null })
})
