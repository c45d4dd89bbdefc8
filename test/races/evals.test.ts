import { expect, it } from 'vitest'
import { times } from '../support/race.ts'
import { type Caller, callerOf, sharedService, startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

/** Two servers on one database. */
const service = await sharedService()
const other = await startService()

const check = (caller: Caller) => caller.rest('POST', '/org/subscribers/acme/entitlements/check', { feature: 'sso' })

it('an eval sees each write that was answered before the eval, whichever server each of them ran on', async () => {
  const caller = await service.organization()
  await vendor(caller).feature('sso')
  await vendor(caller).subscriber('acme')
  const there = callerOf(other.url, caller)
  const path = '/org/subscribers/acme/overrides/sso'

  for (const round of times(20, (i) => i)) {
    const [writer, reader] = round % 2 ? [caller, there] : [there, caller]
    await writer.rest('PUT', path, { kind: 'flag', allowed: true })
    expect((await check(reader)).body).toMatchObject({ allowed: true, source: 'override' })
    await writer.rest('DELETE', path)
    expect((await check(reader)).body).toMatchObject({ allowed: false, source: 'none' })
  }
})
