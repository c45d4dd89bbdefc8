import createClient from 'openapi-fetch'
import type { components, paths } from './generated/openapi-typescript.js'
import type { Step, TourContext } from './step.js'

type Schemas = components['schemas']

/** The README's tour, with a client typed by openapi-typescript. */
export async function tour({ baseUrl, key, email }: TourContext): Promise<Step[]> {
  const steps: Step[] = []
  const admin = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } })

  function recordStep<Data>(operationId: string, sent: { data?: Data; error?: unknown; response: Response }): Data {
    const { data, error, response } = sent
    steps.push({ operationId, status: response.status, answer: data ?? error })
    return data as Data
  }

  recordStep('updateOrganization', await admin.PATCH('/org', { body: { name: 'Acme' } }))
  const features: Schemas['CreateFeatureInput'][] = [
    { key: 'export', name: 'Export to CSV', kind: 'flag' },
    { key: 'api', name: 'API access', kind: 'flag' },
    { key: 'seats', name: 'Seats', kind: 'limit' },
    { key: 'region', name: 'Region', kind: 'config', value_type: 'enum', options: ['eu-west', 'us-east'] },
  ]
  for (const body of features) recordStep('createFeature', await admin.POST('/org/features', { body }))

  const grants: Record<string, Schemas['GrantInput']> = {
    api: { kind: 'flag' },
    seats: { kind: 'limit', limit: 5 },
    region: { kind: 'config', value: 'eu-west' },
  }
  recordStep('createPlan', await admin.POST('/org/plans', { body: { key: 'pro', name: 'Pro', grants } }))
  recordStep(
    'createSubscriber',
    await admin.POST('/org/subscribers', { body: { subscriber_id: 'cust_4711', name: 'Globex' } }),
  )
  const path = { subscriber_id: 'cust_4711' }
  const subscribed = await admin.POST('/org/subscribers/{subscriber_id}/subscriptions', {
    params: { path },
    body: { plan_id: 'pro' },
  })
  recordStep('createSubscription', subscribed)

  const check = '/org/subscribers/{subscriber_id}/entitlements/check'
  const one = recordStep('check', await admin.POST(check, { params: { path }, body: { feature: 'seats' } }))
  if (!('kind' in one) || one.kind !== 'limit' || one.limit !== 5) throw new Error('5 seats are granted')
  const two = recordStep('check', await admin.POST(check, { params: { path }, body: { features: ['export', 'api'] } }))
  if (!('entitlements' in two) || two.entitlements.length !== 2) throw new Error('two features are answered')

  const override: Schemas['OverrideInput'] = { kind: 'flag', allowed: true, expires_at: '2099-12-31T23:00:00+01:00' }
  const put = await admin.PUT('/org/subscribers/{subscriber_id}/overrides/{feature_key}', {
    params: { path: { ...path, feature_key: 'export' } },
    body: override,
  })
  recordStep('putOverride', put)
  const snapshot = await admin.GET('/org/subscribers/{subscriber_id}/entitlements', { params: { path } })
  recordStep('getEntitlements', snapshot)
  const header = { 'If-None-Match': snapshot.response.headers.get('etag') ?? '' }
  const unchanged = await admin.GET('/org/subscribers/{subscriber_id}/entitlements', { params: { path, header } })
  if (unchanged.response.status !== 304) throw new Error('the snapshot did not change')

  const refused = await admin.POST('/org/subscribers/{subscriber_id}/subscriptions/change', {
    params: { path },
    // @ts-expect-error: the field is called plan_id.
    body: { plan: 'team' },
  })
  recordStep('changeSubscription', refused)
  const { error } = refused
  if (error?.error.code !== 'VALIDATION_ERROR') throw new Error('the misspelled field is refused')
  if (error.error.details.fields[0]?.path !== 'plan') throw new Error('the refusal names the field')
  recordStep('listSubscribers', await admin.GET('/org/subscribers', { params: { query: { limit: 101 } } }))

  const account = { email, password: 'correct horse', display_name: 'Ada' }
  const { token } = recordStep(
    'signUp',
    await createClient<paths>({ baseUrl }).POST('/user/sign-up', { body: account }),
  )
  const person = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } })
  recordStep('createOrganization', await person.POST('/user/organizations', { body: { name: 'Initech' } }))
  const { link } = recordStep('createInvite', await admin.POST('/org/invites', { body: { role: 'support', email } }))
  recordStep('listInvites', await admin.GET('/org/invites'))
  if (link === null) throw new Error('a new invite has a link')
  const invite = new URL(link).hash.slice(1)
  recordStep('joinOrganization', await person.POST('/user/organizations/join', { body: { invite } }))

  const billing = await admin.POST('/org/service-accounts', { body: { name: 'Billing', role: 'evaluator' } })
  const { service_account_id } = recordStep('createServiceAccount', billing)
  const made = await admin.POST('/org/service-accounts/{service_account_id}/api-keys', {
    params: { path: { service_account_id } },
    body: { name: 'production' },
  })
  const product = createClient<paths>({ baseUrl, headers: { 'X-API-Key': recordStep('createApiKey', made).key } })
  recordStep('check', await product.POST(check, { params: { path }, body: { feature: 'export' } }))
  const forbidden = await product.GET('/org/plans')
  recordStep('listPlans', forbidden)
  if (forbidden.error?.error.code !== 'FORBIDDEN') throw new Error('an evaluator may not list plans')
  return steps
}
