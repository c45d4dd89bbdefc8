import { createEntitlements, type FeatureKey } from '@entitlements-service/client'

// Like the file that `entitlements types` writes.
declare module '@entitlements-service/client' {
  interface Features {
    export: { kind: 'flag' }
    seats: { kind: 'limit' }
    region: { kind: 'config'; value: 'eu-west' | 'us-east' }
  }
}

const entitlements = createEntitlements({ baseUrl: 'https://entitlements.example', apiKey: 'ent_key', fetch })

export const key: FeatureKey = 'export'
export const isAllowed: Promise<boolean> = entitlements.check('acme', 'export')
export const seats: Promise<number> = entitlements.limit('acme', 'seats')
export const region: Promise<'eu-west' | 'us-east' | null> = entitlements.value('acme', 'region')
// @ts-expect-error: the key is misspelled.
export const misspelled = entitlements.check('acme', 'exprot')
// @ts-expect-error: this feature is not a limit.
export const noLimit = entitlements.limit('acme', 'export')
