import { ConflictError, createApi, createEntitlements, type Pages, type Schemas } from '@entitlements-service/client'

const entitlements = createEntitlements({ baseUrl: 'https://entitlements.example', token: async () => 'token' })
const api = createApi({ baseUrl: 'https://entitlements.example', apiKey: 'ent_key', fetch })

export const isAllowed: Promise<boolean> = entitlements.check('acme', 'anything')
export const plan: Promise<Schemas['Plan']> = entitlements.api.getPlan({ key: 'pro' })
export const subscribers: Pages<{ subscribers: Schemas['Subscriber'][] }, Schemas['Subscriber']> = api.listSubscribers({
  limit: 10,
})
// @ts-expect-error: a field is misspelled.
export const misspelled = api.updatePlan({ key: 'pro', nmae: 'Pro' })
export const fieldOf = (error: unknown): string => (error instanceof ConflictError ? error.details.field : '')
