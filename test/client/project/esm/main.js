import { createApi, createEntitlements, NotFoundError } from '@entitlements-service/client'

const [baseUrl, apiKey] = process.argv.slice(2)
const api = createApi({ baseUrl, apiKey })
await api.createFeature({ key: 'seats', name: 'Seats', kind: 'limit' })
await api.createPlan({ key: 'pro', name: 'Pro', grants: { seats: { kind: 'limit', limit: 5 } } })
await api.createSubscriber({ subscriber_id: 'acme' })
await api.createSubscription({ subscriber_id: 'acme', plan_id: 'pro' })

const entitlements = createEntitlements({ baseUrl, apiKey })
await entitlements.waitUntilReady()
const plans = []
for await (const { key } of entitlements.api.listPlans()) plans.push(key)
const answers = {
  limit: await entitlements.limit('acme', 'seats'),
  plans,
  isNotFound: await api.getPlan({ key: 'gold' }).catch((error) => error instanceof NotFoundError),
}
await entitlements.close()
console.log(JSON.stringify(answers))
