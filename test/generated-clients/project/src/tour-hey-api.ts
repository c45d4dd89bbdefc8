import { createClient } from './generated/hey-api/client/index.js'
import * as api from './generated/hey-api/index.js'
import type { Step, TourContext } from './step.js'

/** The README's tour, with the client that @hey-api/openapi-ts generates. */
export async function tour({ baseUrl, key, email }: TourContext): Promise<Step[]> {
  const steps: Step[] = []
  let token = ''
  // The document says which of the two credentials an operation takes.
  const admin = createClient({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? token : key) })
  const options = { client: admin } as const

  function recordStep<Data>(
    operationId: string,
    sent: { data?: Data; error?: unknown; response?: Response },
  ): NonNullable<Data> {
    const { data, error, response } = sent
    steps.push({ operationId, status: response?.status ?? 0, answer: data ?? error })
    return data as NonNullable<Data>
  }

  recordStep('updateOrganization', await api.updateOrganization({ ...options, body: { name: 'Acme' } }))
  const features: api.CreateFeatureInput[] = [
    { key: 'export', name: 'Export to CSV', kind: 'flag' },
    { key: 'api', name: 'API access', kind: 'flag' },
    { key: 'seats', name: 'Seats', kind: 'limit' },
    { key: 'region', name: 'Region', kind: 'config', value_type: 'enum', options: ['eu-west', 'us-east'] },
  ]
  for (const body of features) recordStep('createFeature', await api.createFeature({ ...options, body }))

  const grants: Record<string, api.GrantInput> = {
    api: { kind: 'flag' },
    seats: { kind: 'limit', limit: 5 },
    region: { kind: 'config', value: 'eu-west' },
  }
  recordStep('createPlan', await api.createPlan({ ...options, body: { key: 'pro', name: 'Pro', grants } }))
  const globex = { subscriber_id: 'cust_4711', name: 'Globex' }
  recordStep('createSubscriber', await api.createSubscriber({ ...options, body: globex }))
  const path = { subscriber_id: 'cust_4711' }
  recordStep('createSubscription', await api.createSubscription({ ...options, path, body: { plan_id: 'pro' } }))

  const one = recordStep('check', await api.check({ ...options, path, body: { feature: 'seats' } }))
  if (!('kind' in one) || one.kind !== 'limit' || one.limit !== 5) throw new Error('5 seats are granted')
  const two = recordStep('check', await api.check({ ...options, path, body: { features: ['export', 'api'] } }))
  if (!('entitlements' in two) || two.entitlements.length !== 2) throw new Error('two features are answered')

  const override: api.OverrideInput = { kind: 'flag', allowed: true, expires_at: '2099-12-31T23:00:00+01:00' }
  const put = await api.putOverride({ ...options, path: { ...path, feature_key: 'export' }, body: override })
  recordStep('putOverride', put)
  const snapshot = await api.getEntitlements({ ...options, path })
  recordStep('getEntitlements', snapshot)
  const headers = { 'If-None-Match': snapshot.response?.headers.get('etag') ?? '' }
  const unchanged = await api.getEntitlements({ ...options, path, headers })
  if (unchanged.response?.status !== 304) throw new Error('the snapshot did not change')

  // @ts-expect-error: the field is called plan_id.
  const refused = await api.changeSubscription({ ...options, path, body: { plan: 'team' } })
  recordStep('changeSubscription', refused)
  const error = refused.error as api.ChangeSubscriptionError
  if (error.error.code !== 'VALIDATION_ERROR') throw new Error('the misspelled field is refused')
  if (error.error.details.fields[0]?.path !== 'plan') throw new Error('the refusal names the field')
  recordStep('listSubscribers', await api.listSubscribers({ ...options, query: { limit: 101 } }))

  const account = { email, password: 'correct horse', display_name: 'Ada' }
  token = recordStep('signUp', await api.signUp({ ...options, body: account })).token
  recordStep('createOrganization', await api.createOrganization({ ...options, body: { name: 'Initech' } }))
  const { link } = recordStep('createInvite', await api.createInvite({ ...options, body: { role: 'support', email } }))
  recordStep('listInvites', await api.listInvites(options))
  if (link === null) throw new Error('a new invite has a link')
  const invite = new URL(link).hash.slice(1)
  recordStep('joinOrganization', await api.joinOrganization({ ...options, body: { invite } }))

  const billing = await api.createServiceAccount({ ...options, body: { name: 'Billing', role: 'evaluator' } })
  const { service_account_id } = recordStep('createServiceAccount', billing)
  const made = await api.createApiKey({ ...options, path: { service_account_id }, body: { name: 'production' } })
  const product = { client: createClient({ baseUrl, auth: recordStep('createApiKey', made).key }) }
  recordStep('check', await api.check({ ...product, path, body: { feature: 'export' } }))
  const forbidden = await api.listPlans(product)
  recordStep('listPlans', forbidden)
  if (forbidden.error?.error.code !== 'FORBIDDEN') throw new Error('an evaluator may not list plans')
  return steps
}
