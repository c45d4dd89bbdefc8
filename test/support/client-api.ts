import { expect } from 'vitest'
import { createApi } from '../../src/client/api/index.ts'
import type { TestService } from './service.ts'

/** An organization with a plan that grants the feature `seats`, and its admin's client. */
export async function vendorWithPlan(service: TestService) {
  const caller = await service.organization()
  const api = createApi({ baseUrl: service.url, apiKey: caller.key })
  await api.createFeature({ key: 'seats', name: 'Seats', kind: 'limit' })
  await api.createPlan({ key: 'pro', name: 'Pro', grants: { seats: { kind: 'limit', limit: 5 } } })
  return { ...caller, api }
}

/** Resolves to the error with which the call fails. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (answer) => expect.fail(`it answered ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  )
}
