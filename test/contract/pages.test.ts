import { beforeAll, describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { addMember, type Person, signUp, trustedLoopback } from '../support/person.ts'
import { expectInvalid } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

// test/rest/pagination.test.ts has every value of limit and starting_after, for two lists.

const service = await sharedService(trustedLoopback)
const lists = restRoutes.flatMap(({ operation }) => ('starting_after' in operation.input.shape ? [operation] : []))

/** The field of an item that is its cursor, where that is not `id`. */
const cursors: Record<string, string> = {
  subscribers: 'subscriber_id',
  members: 'member_id',
  invites: 'invite_id',
  service_accounts: 'service_account_id',
  keys: 'key_id',
}

let admin: Caller
let person: Person
let accountId: string

/** Creates at least three items in each list. */
beforeAll(async () => {
  admin = await service.organization()
  const setup = vendor(admin)
  const requestSuccessfully = async (...request: Parameters<Caller['rest']>) => {
    const { status, body } = await admin.rest(...request)
    expect(status, request.join(' ')).toBeLessThan(300)
    return body
  }
  await setup.features()
  await setup.plan('pro', { seats: { kind: 'limit', limit: 5 } })
  await requestSuccessfully('PUT', '/org/webhook', { url: 'https://receiver.example/' })
  accountId = (await requestSuccessfully('POST', '/org/service-accounts', { name: 'CI', role: 'viewer' }))
    .service_account_id
  for (const name of ['a', 'b', 'c']) {
    await setup.subscriber(name)
    await setup.override(name, 'sso', { kind: 'flag', allowed: true })
    await requestSuccessfully('PATCH', '/org/features/sso', { name })
    await requestSuccessfully('PATCH', '/org/plans/pro', { name })
    await requestSuccessfully('POST', '/org/invites', { role: 'viewer' })
    await requestSuccessfully('POST', '/org/service-accounts', { name, role: 'viewer' })
    await requestSuccessfully('POST', `/org/service-accounts/${accountId}/api-keys`, { name })
    await requestSuccessfully('POST', '/org/webhook/test')
    const path = name === 'a' ? '/org/subscribers/a/subscriptions' : '/org/subscribers/a/subscriptions/change'
    await requestSuccessfully('POST', path, { plan_id: 'pro' })
  }
  person = await signUp(service)
  await addMember(admin, person, 'viewer')
  for (const name of ['A', 'B', 'C']) await person.rest('PATCH', '/user', { display_name: name })
})

function read(route: string, query: string) {
  const path = route
    .replace('{subscriber_id}', 'a')
    .replace('{service_account_id}', accountId)
    .replace('{key}', route.startsWith('/org/plans') ? 'pro' : 'sso')
  return (route.startsWith('/user') ? person : admin).rest('GET', path + query)
}

describe.each(lists.map(({ route }) => route))('the list %s', (route) => {
  it('can be read page by page, with each item once and in the same order as in one page', async () => {
    const { has_more: _, ...whole } = (await read(route, '?limit=100')).body
    const [name, all] = Object.entries(whole)[0] as [string, Record<string, string>[]]
    expect(all.length).toBeGreaterThan(2)

    const pages: typeof all = []
    for (let after = '', hasMore = true; hasMore; ) {
      const { body } = await read(route, `?limit=1${after}`)
      expect(Object.keys(body)).toEqual([name, 'has_more'])
      expect(body[name]).toHaveLength(1)
      pages.push(...body[name])
      hasMore = body.has_more
      after = `&starting_after=${body[name][0][cursors[name] ?? 'id']}`
    }

    expect(pages).toEqual(all)
  })

  it('refuses a wrong limit and a malformed cursor', async () => {
    const wrong = await read(route, '?limit=0&starting_after=%00')

    expectInvalid(wrong, ['limit', /^limit must be an integer from 1 to 100\.$/], ['starting_after', /^starting_after/])
  })
})
