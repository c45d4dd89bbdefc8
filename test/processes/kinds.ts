import { setTimeout as wait } from 'node:timers/promises'
import type { Lane } from './lane.ts'

/** What some kinds of writes need besides the API. */
export type Outside = {
  /** Sets the allotment as `npm run org:limits` does. */
  setAllotment(organizationId: string, allotment: string): Promise<void>
  /** The token of a person, who is a member of the lane's organization. */
  token: string
}

type Kind = (lane: Lane, outside: Outside) => Promise<void>

const plan = (limit: number) => ({ grants: { seats: { kind: 'limit', limit } } })
const acme = '/org/subscribers/acme'
const override = `${acme}/overrides/seats`

/** Creates what each lane begins with: the feature `seats`, the plan `pro`, and the subscriber `acme`. */
export async function seed(lane: Lane): Promise<void> {
  await lane.must('POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' })
  await lane.must('POST', '/org/plans', { key: 'pro', name: 'Pro', ...plan(lane.seats) })
  await lane.must('POST', '/org/subscribers', { subscriber_id: 'acme' })
  await lane.must('POST', `${acme}/subscriptions`, { plan_id: 'pro' })
}

/** The kinds of writes. Each leaves the lane as it found it, except for the plan's limit. */
export const kinds: Record<string, Kind> = {
  async feature(lane) {
    const feature = `f${lane.next()}`
    const body = { key: feature, name: feature, kind: 'flag' }
    await lane.pair('feature', lane.write('POST', '/org/features', body), 'false none', { feature })
    await lane.pair('feature', lane.write('DELETE', `/org/features/${feature}`), 'no feature', { feature })
  },

  async plan(lane) {
    for (let count = 0; count < 3; count++) {
      lane.seats = lane.next()
      await lane.pair('plan', lane.write('PATCH', '/org/plans/pro', plan(lane.seats)), `${lane.seats} plan`)
    }
  },

  async subscriber(lane) {
    const subscriber = `s${lane.next()}`
    const body = { subscriber_id: subscriber }
    await lane.pair('subscriber', lane.write('POST', '/org/subscribers', body), '0 none', { subscriber })
    await lane.pair('subscriber', lane.write('DELETE', `/org/subscribers/${subscriber}`), '404', { subscriber })
  },

  async subscription(lane) {
    const [subscriber, limit] = [`s${lane.next()}`, lane.next()]
    const other = `p${limit}`
    const path = `/org/subscribers/${subscriber}/subscriptions`
    await lane.must('POST', '/org/plans', { key: other, name: other, ...plan(limit) })
    await lane.must('POST', '/org/subscribers', { subscriber_id: subscriber })

    await lane.pair('subscription', lane.write('POST', path, { plan_id: 'pro' }), `${lane.seats} plan`, { subscriber })
    const change = lane.write('POST', `${path}/change`, { plan_id: other })
    const { body } = await lane.pair('subscription', change, `${limit} plan`, { subscriber })
    await lane.pair('subscription', lane.write('POST', `${path}/${body.id}/cancel`), '0 none', { subscriber })
    await lane.must('DELETE', `/org/subscribers/${subscriber}`)
  },

  async override(lane) {
    const limit = lane.next()
    await lane.pair('override', lane.write('PUT', override, { kind: 'limit', limit }), `${limit} override`)
    await lane.pair('override', lane.write('DELETE', override), `${lane.seats} plan`)
  },

  /** The override is written long before it ends; the pair is its end and an eval. */
  async expiry(lane) {
    const subscriber = `s${lane.next()}`
    const path = `/org/subscribers/${subscriber}`
    await lane.must('POST', '/org/subscribers', { subscriber_id: subscriber })
    const expiresAt = Date.now() + 400
    const ends = { kind: 'limit', limit: 3, expires_at: new Date(expiresAt).toISOString() }
    await lane.must('PUT', `${path}/overrides/seats`, ends)
    const look = (url: string) => lane.evaluate(url, { subscriber })
    // Let both processes see the override before it ends.
    const expire = async (url: string) => {
      await look(url)
      await wait(Math.max(0, expiresAt + 2 - Date.now()))
    }
    await lane.seen('expiry', expire, '0 none', look)
    await lane.must('DELETE', path)
  },

  async key(lane) {
    const [account, headers, keyPath] = await createKey(lane)
    await lane.pair('key', lane.write('DELETE', keyPath), '401', { headers })
    await lane.must('DELETE', account)
  },

  async member(lane) {
    const [account, headers, , memberPath] = await createKey(lane)
    const set = (status: string) => lane.write('PATCH', memberPath, { status })
    await lane.pair('member', set('disabled'), '401', { headers })
    await lane.pair('member', set('active'), `${lane.seats} plan`, { headers })
    await lane.pair('member', lane.write('DELETE', account), '401', { headers })
  },

  /** Observed in the audit log, because every role may evaluate, but not every role may read the log. */
  async role(lane) {
    const [account, headers, , memberPath] = await createKey(lane)
    const look = async (url: string) => {
      const { status } = await lane.client.ask(url, { method: 'GET', path: '/org/audit-events?limit=1', headers })
      return `${status}`
    }
    const set = (role: string) => (url: string) => lane.client.must(url, lane.write('PATCH', memberPath, { role }))
    await lane.seen('role', set('admin'), '200', look)
    await lane.seen('role', set('viewer'), '403', look)
    await lane.must('DELETE', account)
  },

  async session(lane, { token }) {
    const path = `/user/organizations/${lane.tenant.organizationId}`
    const authorization = `Bearer ${token}`
    // Cookies are set only for the service's own pages.
    const post = (url: string, what: string) => {
      const headers = { authorization, origin: url }
      return lane.client.must(url, { method: 'POST', path: `${path}/${what}`, body: {}, headers })
    }
    let cookie = ''
    const open = async (url: string) => {
      const { cookies } = await post(url, 'sign-in')
      cookie = cookies.map((each) => each.split(';')[0]).join('; ')
    }
    const look = (url: string) => evaluateInConsole(lane, url, cookie)
    await lane.seen('session', open, `${lane.seats}`, look)
    await lane.seen('session', (url) => post(url, 'sign-out'), 'UNAUTHORIZED', look)
  },

  async limits(lane, { setAllotment }) {
    const { organizationId } = lane.tenant
    const set = (allotment: string) => () => setAllotment(organizationId, allotment)
    const look = (url: string) => lane.evaluate(url)
    await lane.seen('limits', set('0'), '409', look)
    await lane.seen('limits', set('default'), `${lane.seats} plan`, look)
  },
}

type Made = [account: string, headers: Record<string, string>, keyPath: string, memberPath: string]

/** Creates a service account with a key. This is a pair too: once the key is answered, it works in every process. */
async function createKey(lane: Lane): Promise<Made> {
  const named = { name: `a${lane.next()}`, role: 'viewer' }
  const { body: account } = await lane.must('POST', '/org/service-accounts', named)
  const path = `/org/service-accounts/${account.service_account_id}`
  let headers = {}
  const { key_id } = await lane.seen(
    'key',
    async (url) => {
      const { body } = await lane.client.must(url, lane.write('POST', `${path}/api-keys`, { name: 'fresh' }))
      headers = { 'x-api-key': body.key }
      return body
    },
    `${lane.seats} plan`,
    (url) => lane.evaluate(url, { headers }),
  )
  return [path, headers, `${path}/api-keys/${key_id}`, `/org/members/${account.member_id}`]
}

/** Returns the limit, or the code of the refusal. */
async function evaluateInConsole(lane: Lane, url: string, cookie: string): Promise<string> {
  const { body } = await lane.client.ask(url, {
    method: 'POST',
    path: '/graphql',
    body: { query: '{ check(subscriberId: "acme", feature: "seats") { limit } }' },
    headers: { cookie, origin: url, 'x-organization-id': lane.tenant.organizationId },
  })
  return `${body.errors?.[0].extensions.code ?? body.data.check.limit}`
}
