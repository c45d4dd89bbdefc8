import { expect, it } from 'vitest'
import { holdOrganization } from '../support/hold-locks.ts'
import { startPatientService } from '../support/patient-service.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Answer, startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

it("while an organization's writes wait for each other, other organizations and all evals are answered", async () => {
  const service = await startService()
  const [busy, other] = [await service.organization(), await service.organization()]
  for (const caller of [busy, other]) await vendor(caller).subscriber('acme')
  const release = await holdOrganization(service.database.pool, busy.organizationId)

  const writes = Array.from({ length: 40 }, (_, index) =>
    busy.rest('POST', '/org/features', { key: `f${index}`, name: 'x', kind: 'flag' }),
  )
  await vendor(other).feature('seats')
  await vendor(other).get('/org/features')
  for (const caller of [busy, other]) {
    expect(await caller.rest('GET', '/org/subscribers/acme/entitlements')).toMatchObject({ status: 200 })
  }
  const list = await other.graphql('{ features { key } subscribers { nodes { overrides { feature } } } }')

  expect(list.body.data.features).toEqual([{ key: 'seats' }])
  await release()
  // Writes that waited too long for the row were refused. On a slow machine, these may be many.
  for (const { status } of await Promise.all(writes)) expect([201, 503]).toContain(status)
})

it("requests above an organization's limit of waiting requests are refused with 503, and do not run", async () => {
  const service = await startPatientService({ MAX_RUNNING_REQUESTS: '1', MAX_WAITING_REQUESTS: '2' })
  const busy = await service.organization()
  const release = await holdOrganization(service.database.pool, busy.organizationId)

  const writes = Array.from({ length: 5 }, (_, index) =>
    busy.rest('POST', '/org/features', { key: `f${index}`, name: 'x', kind: 'flag' }),
  )
  // The fifth may arrive long after the fourth was refused: let the others continue only when both are refused.
  const refused: Answer[] = []
  for (const write of writes) void write.then((answer) => refused.push(answer))
  await expect.poll(() => refused.length).toBe(2)
  await release()
  await Promise.all(writes)

  for (const answer of refused.slice(0, 2)) expectRefusal(answer, 'SERVICE_UNAVAILABLE', null, /fewer at once/)
  expect((await vendor(busy).get('/org/features')).features).toHaveLength(3)
  expect((await vendor(busy).get('/org/audit-events')).audit_events).toHaveLength(3)
})
