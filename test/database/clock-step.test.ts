import { expect, it } from 'vitest'
import { importSuccessfully } from '../support/import.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

/*
 * Rows that were written before the database's clock stepped back by an hour have times in the future. The tests write such
 * rows.
 */

const service = await sharedService()
const { pool } = service.database

async function createOrganization() {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.feature('seats', { kind: 'limit' })
  await setup.plan('pro')
  await setup.plan('max')
  await setup.subscriber('acme')
  return { caller, setup }
}

const override = '/org/subscribers/acme/overrides/seats'

it.each([
  ['a request', (caller) => caller.rest('DELETE', override)],
  ['an import', (caller) => importSuccessfully(caller, [{ subscriber_id: 'acme', overrides: { seats: null } }])],
] as [string, (caller: Awaited<ReturnType<typeof createOrganization>>['caller']) => Promise<unknown>][])(
  'an override from before a step back of the clock keeps its version when %s deletes it',
  async (_, remove) => {
    const { caller, setup } = await createOrganization()
    await setup.override('acme', 'seats', { kind: 'limit', limit: 7 })
    const { rows } = await pool.query<{ at: Date }>(
      `update override set updated_at = updated_at + interval '1 hour' where organization_id = $1 returning updated_at as at`,
      [caller.organizationId],
    )
    const at = Number(rows[0]?.at)

    await remove(caller)

    expect((await caller.rest('GET', override)).status).toBe(404)
    const versions = await pool.query<{ from: Date; to: Date }>(
      `select valid_from as from, valid_to as to from override_version where organization_id = $1
        order by valid_from desc limit 1`,
      [caller.organizationId],
    )
    expect(versions.rows.map(({ from, to }) => [Number(from), Number(to)])).toEqual([[at, at + 1]])
  },
)

it('a subscription from before a step back of the clock ends after it began, if it is canceled, changed or imported', async () => {
  const { caller, setup } = await createOrganization()
  const end = {
    cancel: (id: string) => caller.rest('POST', `/org/subscribers/acme/subscriptions/${id}/cancel`),
    change: () => caller.rest('POST', '/org/subscribers/acme/subscriptions/change', { plan_id: 'max' }),
    import: () => importSuccessfully(caller, [{ subscriber_id: 'acme', plan_id: null }]),
  }
  for (const [name, run] of Object.entries(end)) {
    const { subscriptions } = await setup.get('/org/subscribers/acme/subscriptions')
    const active = subscriptions.find(({ status }: { status: string }) => status === 'active')
    const { id } = active ?? (await setup.subscribe('acme', 'pro'))
    await pool.query(`update subscription set created_at = created_at + interval '1 hour' where subscription_id = $1`, [
      id,
    ])

    await run(id)

    const { rows } = await pool.query<{ lasted: number }>(
      `select (extract(epoch from canceled_at - created_at) * 1000)::int as lasted from subscription where subscription_id = $1`,
      [id],
    )
    expect([name, rows[0]?.lasted]).toEqual([name, 1])
  }
})
