import type { Caller, TestService } from './service.ts'
import { vendor } from './vendor.ts'

export const expiry = '2999-01-01T00:00:00.000Z'

/** `acme` is on `pro`, which grants one of each type, and has an override; `bare` has nothing. */
export async function furnish(service: TestService): Promise<Caller> {
  const caller = await service.organization()
  const given = vendor(caller)
  await given.features()
  await given.feature('storage', { kind: 'limit' })
  await given.feature('ratio', { kind: 'config', value_type: 'number' })
  await given.feature('beta', { kind: 'config', value_type: 'boolean' })
  await given.feature('theme', { kind: 'config', value_type: 'json' })
  await given.plan('pro', {
    sso: { kind: 'flag' },
    seats: { kind: 'limit', limit: 5 },
    storage: { kind: 'limit', limit: null },
    color: { kind: 'config', value: 'red' },
    ratio: { kind: 'config', value: 0.25 },
    beta: { kind: 'config', value: true },
    theme: { kind: 'config', value: { dark: true } },
  })
  for (const id of ['acme', 'bare']) await given.subscriber(id)
  await given.subscribe('acme', 'pro')
  await given.override('acme', 'seats', { kind: 'limit', limit: 50, expires_at: expiry })
  return caller
}
