import { createSampleVendor as createBasicVendor } from '../../support/sample-vendor.ts'
import type { Caller, TestService } from '../../support/service.ts'
import { vendor } from '../../support/vendor.ts'

export const flagKeys = ['sso', 'seats', 'storage', 'color', 'ratio', 'beta', 'theme']

/** Also adds an override of a config. */
export async function createSampleVendor(service: TestService): Promise<Caller> {
  const caller = await createBasicVendor(service)
  await vendor(caller).override('acme', 'color', { kind: 'config', value: 'blue' })
  return caller
}
