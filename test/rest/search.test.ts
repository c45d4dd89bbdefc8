import { describe, expect, it } from 'vitest'
import { timestamp } from '../support/matchers.ts'
import { countRequestsInOneSecond } from '../support/one-second.ts'
import { addMember, signUp, trustedLoopback } from '../support/person.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService(trustedLoopback)

type Hit = { type: string; id: string; name: string | null; context: string | null }

/**
 * `acme` is on the plan `pro` of the kind `paid`, with an override of `exports`; Ada is a developer, Billing a service
 * account.
 */
async function createFurnishedOrganization() {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.feature('exports', { kind: 'flag', name: 'Export of data' })
  await setup.feature('seats', { kind: 'limit', name: 'Seats' })
  expect((await caller.rest('POST', '/org/plans', { key: 'pro', name: 'Professional', kind: 'paid' })).status).toBe(201)
  await setup.subscriber('acme', { name: 'Acme Exports Ltd' })
  await setup.subscriber('beta_1', { name: '100% Beta' })
  await setup.subscriber('nameless')
  const subscription = await setup.subscribe('acme', 'pro')
  const override = await setup.override('acme', 'exports', { kind: 'flag', allowed: true })
  const ada = await signUp(service, { display_name: 'Ada Lovelace' })
  const memberId = await addMember(caller, ada, 'developer')
  const account = await create(caller, '/org/service-accounts', { name: 'Billing', role: 'support' })
  const key = await create(caller, `/org/service-accounts/${account.service_account_id}/api-keys`, { name: 'CI' })
  return { caller, subscription, override, ada, memberId, account, key }
}

async function create(caller: Caller, path: string, body: object) {
  const answer = await caller.rest('POST', path, body)
  expect(answer.status).toBe(201)
  return answer.body
}

async function search(caller: Caller, text: string, limit?: number): Promise<Hit[]> {
  const query = new URLSearchParams({ text, ...(limit && { limit: String(limit) }) })
  const { hits } = await vendor(caller).get(`/org/search?${query}`)
  return hits
}

const acme: Hit = { type: 'subscriber', id: 'acme', name: 'Acme Exports Ltd', context: 'pro' }
const exportsFeature: Hit = { type: 'feature', id: 'exports', name: 'Export of data', context: 'flag' }
const pro: Hit = { type: 'plan', id: 'pro', name: 'Professional', context: 'paid' }

describe('the search', () => {
  it('matches the start of ids, keys and names and parts of names, ignoring case, with the best hits first', async () => {
    const { caller, ada, memberId, account } = await createFurnishedOrganization()
    const adaHit: Hit = { type: 'member', id: memberId, name: 'Ada Lovelace', context: ada.email }
    const billing = { type: 'service_account', id: account.service_account_id, name: 'Billing', context: 'support' }

    expect(await search(caller, ' ACME ')).toEqual([acme])
    expect(await search(caller, 'export')).toEqual([exportsFeature, acme])
    expect(await search(caller, 'PROF')).toEqual([pro])
    expect(await search(caller, 'lovel')).toEqual([adaHit])
    expect(await search(caller, ada.email.slice(0, 20))).toEqual([adaHit])
    expect(await search(caller, 'billing')).toEqual([billing])
    expect(await search(caller, 'nameless')).toEqual([
      { type: 'subscriber', id: 'nameless', name: null, context: null },
    ])
    expect(await search(caller, '0%')).toEqual([])
    expect(await search(caller, '_')).toEqual([])
    expect(await search(caller, '   ')).toEqual([])
    expect(await search(caller, 'x'.repeat(2000))).toEqual([])
  })

  it('shows that a plan is archived', async () => {
    const { caller } = await createFurnishedOrganization()
    await vendor(caller).archive('pro')

    expect(await search(caller, 'PROF')).toEqual([{ ...pro, context: 'paid, archived' }])
  })

  it('finds the object to which a subscription, override, member, key or request id belongs', async () => {
    const { caller, subscription, override, ada, memberId, account, key } = await createFurnishedOrganization()
    const { requestId, entry } = await createFeatureAndReadEntry(caller)

    const found = async (text: string) => (await search(caller, text)).map(({ type, id }) => `${type} ${id}`)

    expect(await found(subscription.id)).toEqual(['subscriber acme'])
    expect(await found(override.id)).toEqual(['subscriber acme'])
    expect(await found(memberId)).toEqual([`member ${memberId}`])
    expect(await found(ada.userId)).toEqual([`member ${memberId}`])
    const billing = `service_account ${account.service_account_id}`
    for (const text of [account.service_account_id, account.member_id, key.key_id, key.key_prefix, key.key]) {
      expect(await found(text)).toEqual([billing])
    }
    expect(await search(caller, requestId)).toEqual([
      { type: 'audit_event', id: entry.id, name: 'POST /org/features', context: timestamp },
    ])
    expect(await found(entry.id)).toEqual([`audit_event ${entry.id}`])
  })

  it('looks up each word of a text with line breaks as a whole id or key, in the order of the text', async () => {
    const { caller, memberId } = await createFurnishedOrganization()
    const list = `nameless\n  pro\tacme\r\nacm Acme expor\n${memberId}\nexports`

    const hits = await search(caller, list, 50)

    expect(hits.map(({ id }) => id)).toEqual(['nameless', 'pro', 'acme', memberId, 'exports'])
    expect((await search(caller, list, 2)).map(({ id }) => id)).toEqual(['nameless', 'pro'])
    const beyond = `${'nobody\n'.repeat(50)}acme`
    expect(await search(caller, beyond)).toEqual([])
  })

  it('finds the objects that a sentence or a log line names by id or name, ignoring case', async () => {
    const { caller, subscription, memberId, account, key, ada } = await createFurnishedOrganization()
    const { requestId, entry } = await createFeatureAndReadEntry(caller)
    const found = async (text: string) => (await search(caller, text, 50)).map(({ id }) => id)

    expect(await found('Our customer (ACME) says that it cannot use Seats.')).toEqual(['acme', 'seats'])
    expect(await found('please call acme exports ltd, thanks')).toEqual(['acme', 'exports'])
    expect(await found('level=warn subscriber="Beta_1" feature=exports allowed=false')).toEqual(['beta_1', 'exports'])
    expect(await found('GET https://x.example/o/1/subscribers/nameless?tab=history 200')).toEqual(['nameless'])
    expect(await found(`why ${subscription.id.toLowerCase()} of ada lovelace?`)).toEqual(['acme', memberId])
    expect(await found(`failed: ${requestId.toUpperCase()}, by ${ada.email}`)).toEqual([entry.id, memberId])
    expect(await found(`key ${key.key} is refused`)).toEqual([account.service_account_id])
    expect(await found(`ENTITLEMENTS_API_KEY="${key.key}"`)).toEqual([account.service_account_id])
    expect(await found('Acme called again about an invoice today')).toEqual(['acme'])
    expect(await found('a word, and another: none of them is known here')).toEqual([])
  })

  it('finds a name within a sentence even if the name ends in a vowel sign or a combining accent', async () => {
    const { caller } = await createFurnishedOrganization()
    const [hindi, decomposed] = ['हिन्दी', 'café'.normalize('NFD')]
    await vendor(caller).subscriber('c1', { name: hindi })
    await vendor(caller).subscriber('c2', { name: decomposed })
    const found = async (text: string) => (await search(caller, text)).map(({ id }) => id)

    expect(await found(`ग्राहक (${hindi}) को आज ही उत्तर देना है`)).toEqual(['c1'])
    expect(await found(`the owner of "${decomposed}", it called about an invoice`)).toEqual(['c2'])
  })

  it('finds the words of a name in any order, and subscribers by the end of their id', async () => {
    const { caller } = await createFurnishedOrganization()
    for (const id of ['Customer-1178', 'customer-2178', 'customer-11780', 'auth0|5e1=']) {
      await vendor(caller).subscriber(id)
    }
    // Without members: their random e-mail addresses may contain the text.
    const found = async (text: string) =>
      (await search(caller, text)).filter(({ type }) => type !== 'member').map(({ id }) => id)

    expect(await found('ltd acme')).toEqual(['acme'])
    expect(await found('data export')).toEqual(['exports'])
    expect(await found('ltd beta')).toEqual([])
    expect(await found('1178')).toEqual(['Customer-1178'])
    expect(await found('R-1178')).toEqual(['Customer-1178'])
    expect(await found('178')).toEqual(['Customer-1178', 'customer-2178'])
    expect(await found('ticket of 1178, urgent')).toEqual(['Customer-1178'])
    expect(await found('user AUTH0|5e1= signed in')).toEqual(['auth0|5e1='])
    expect(await found('78')).toEqual([])
    expect(await found('1_78')).toEqual([])
  })

  it('shows one hit of each type before a second hit of any type, and at most the requested number', async () => {
    const { caller } = await createFurnishedOrganization()
    await vendor(caller).plan('quartz')
    for (let n = 0; n < 12; n++) await vendor(caller).subscriber(`quartz-${n}`)

    const hits = await search(caller, 'quart')

    expect(hits).toHaveLength(10)
    expect(hits.slice(0, 2).map(({ type }) => type)).toEqual(['subscriber', 'plan'])
    expect(await search(caller, 'quart', 1)).toHaveLength(1)
    expect(await search(caller, 'quart', 1000)).toHaveLength(13)
  })

  it('shows each type only to members who may read that type, and nothing of other organizations', async () => {
    const { caller, memberId, key } = await createFurnishedOrganization()
    const viewer = await service.member(caller.organizationId, 'viewer')
    const evaluator = await service.member(caller.organizationId, 'evaluator')
    const { requestId } = await createFeatureAndReadEntry(caller)
    const otherCaller = await service.organization()

    expect(await search(viewer, 'acme')).toEqual([acme])
    expect(await search(viewer, requestId)).toEqual([])
    expectRefusal(await evaluator.rest('GET', '/org/search?text=acme'), 'FORBIDDEN', {
      required_labels: ['subscribers:read', 'features:read', 'plans:read', 'members:read'],
    })
    for (const text of ['acme', 'export', 'pro', 'ada', 'billing', memberId, key.key_prefix, requestId]) {
      expect(await search(otherCaller, text)).toEqual([])
    }
  })

  it('is the same in GraphQL', async () => {
    const { caller } = await createFurnishedOrganization()

    const { body } = await caller.graphql('{ search(text: "acme\\npro", first: 5) { hits { type id name context } } }')

    expect(body).toEqual({
      data: {
        search: {
          hits: [
            { ...acme, type: 'SUBSCRIBER' },
            { ...pro, type: 'PLAN' },
          ],
        },
      },
    })
  })

  it('refuses invalid parameters, and more than 20 requests a second', async () => {
    const caller = await service.organization()
    const { rest } = caller

    expectInvalid(await rest('GET', '/org/search'), ['text', /required/])
    expectInvalid(await rest('GET', '/org/search?text='), ['text', /1 to 2000 characters/])
    expectInvalid(await rest('GET', `/org/search?text=${'x'.repeat(2001)}`), ['text', /1 to 2000 characters/])
    expectInvalid(await rest('GET', '/org/search?text=a&limit=0'), ['limit', /1 to 50/])
    expectInvalid(await rest('GET', '/org/search?text=a&first=1'), ['first', /Unknown query parameter/])
    countRequestsInOneSecond()
    for (let count = 0; count < 20; count++) expect((await rest('GET', '/org/search?text=a')).status).toBe(200)
    expectRefusal(await rest('GET', '/org/search?text=a'), 'RATE_LIMITED', { retry_after_seconds: 1 })
  })
})

/** Creates a feature; returns the id and the audit entry of that request. */
async function createFeatureAndReadEntry(caller: Caller) {
  const answer = await caller.rest('POST', '/org/features', { key: 'late', name: 'Late', kind: 'flag' })
  const requestId = answer.headers.get('x-request-id') as string
  const { audit_events } = await vendor(caller).get(`/org/audit-events?request_id=${requestId}`)
  return { requestId, entry: audit_events[0] }
}
