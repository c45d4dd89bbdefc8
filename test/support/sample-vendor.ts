import type { Caller, TestService } from './service.ts'
import { vendor } from './vendor.ts'

export const expiry = '2999-01-01T00:00:00.000Z'

/** `acme` is on `pro`, which grants one feature of each type, and has an override; `bare` has neither. */
export async function createSampleVendor(service: TestService): Promise<Caller> {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.features()
  await setup.feature('storage', { kind: 'limit' })
  await setup.feature('ratio', { kind: 'config', value_type: 'number' })
  await setup.feature('beta', { kind: 'config', value_type: 'boolean' })
  await setup.feature('theme', { kind: 'config', value_type: 'json' })
  await setup.plan('pro', {
    sso: { kind: 'flag' },
    seats: { kind: 'limit', limit: 5 },
    storage: { kind: 'limit', limit: null },
    color: { kind: 'config', value: 'red' },
    ratio: { kind: 'config', value: 0.25 },
    beta: { kind: 'config', value: true },
    theme: { kind: 'config', value: { dark: true } },
  })
  for (const id of ['acme', 'bare']) await setup.subscriber(id)
  await setup.subscribe('acme', 'pro')
  await setup.override('acme', 'seats', { kind: 'limit', limit: 50, expires_at: expiry })
  return caller
}
