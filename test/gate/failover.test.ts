import { expect, it } from 'vitest'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

it('an eval is answered from the current plan after a failover lost a write that an earlier eval had seen', async () => {
  const caller = await service.organization()
  const { pool } = service.database
  const its = vendor(caller)
  const seats = (limit: number) => ({ grants: { seats: { kind: 'limit', limit } } })
  await its.feature('seats', { kind: 'limit' })
  await its.plan('pro', seats(1).grants)
  await its.subscriber('acme')
  await its.subscribe('acme', 'pro')
  const check = async () =>
    (await caller.rest('POST', '/org/subscribers/acme/entitlements/check', { feature: 'seats' })).body.limit
  const organization = [caller.organizationId]
  const { rows } = await pool.query('select catalog_version from organization where organization_id = $1', organization)

  await caller.rest('PATCH', '/org/plans/pro', seats(2))
  expect(await check()).toBe(2)
  // Restores the state of a standby that did not receive the last write.
  await pool.query('update organization set catalog_version = $2 where organization_id = $1', [
    ...organization,
    rows[0].catalog_version,
  ])
  await pool.query('update plan_grant set "limit" = 1 where organization_id = $1', organization)
  await caller.rest('PATCH', '/org/plans/pro', seats(3))

  expect(await check()).toBe(3)
})
