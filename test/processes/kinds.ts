import { setTimeout as wait } from 'node:timers/promises'
import type { PairSequence } from './pair-sequence.ts'

/** The resources that some kinds of writes need besides the API. */
export type PairContext = {
  /** Sets the allotment as `npm run org:limits` does. */
  setAllotment(organizationId: string, allotment: string): Promise<void>
  /** The token of a person, who is a member of the sequence's organization. */
  token: string
}

type Kind = (sequence: PairSequence, outside: PairContext) => Promise<void>

const plan = (limit: number) => ({ grants: { seats: { kind: 'limit', limit } } })
const acme = '/org/subscribers/acme'
const override = `${acme}/overrides/seats`

/** Creates what each sequence begins with: the feature `seats`, the plan `pro`, and the subscriber `acme`. */
export async function createSequenceObjects(sequence: PairSequence): Promise<void> {
  await sequence.sendUnchecked('POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' })
  await sequence.sendUnchecked('POST', '/org/plans', { key: 'pro', name: 'Pro', ...plan(sequence.seats) })
  await sequence.sendUnchecked('POST', '/org/subscribers', { subscriber_id: 'acme' })
  await sequence.sendUnchecked('POST', `${acme}/subscriptions`, { plan_id: 'pro' })
}

/** The kinds of writes. Each leaves the sequence as it found it, except for the plan's limit. */
export const kinds: Record<string, Kind> = {
  async feature(sequence) {
    const feature = `f${sequence.next()}`
    const body = { key: feature, name: feature, kind: 'flag' }
    await sequence.pair('feature', sequence.write('POST', '/org/features', body), 'false none', { feature })
    await sequence.pair('feature', sequence.write('DELETE', `/org/features/${feature}`), 'no feature', { feature })
  },

  async plan(sequence) {
    for (let count = 0; count < 3; count++) {
      sequence.seats = sequence.next()
      await sequence.pair(
        'plan',
        sequence.write('PATCH', '/org/plans/pro', plan(sequence.seats)),
        `${sequence.seats} plan`,
      )
    }
  },

  async subscriber(sequence) {
    const subscriber = `s${sequence.next()}`
    const body = { subscriber_id: subscriber }
    await sequence.pair('subscriber', sequence.write('POST', '/org/subscribers', body), '0 none', { subscriber })
    await sequence.pair('subscriber', sequence.write('DELETE', `/org/subscribers/${subscriber}`), '404', { subscriber })
  },

  async subscription(sequence) {
    const [subscriber, limit] = [`s${sequence.next()}`, sequence.next()]
    const other = `p${limit}`
    const path = `/org/subscribers/${subscriber}/subscriptions`
    await sequence.sendUnchecked('POST', '/org/plans', { key: other, name: other, ...plan(limit) })
    await sequence.sendUnchecked('POST', '/org/subscribers', { subscriber_id: subscriber })

    await sequence.pair('subscription', sequence.write('POST', path, { plan_id: 'pro' }), `${sequence.seats} plan`, {
      subscriber,
    })
    const change = sequence.write('POST', `${path}/change`, { plan_id: other })
    const { body } = await sequence.pair('subscription', change, `${limit} plan`, { subscriber })
    await sequence.pair('subscription', sequence.write('POST', `${path}/${body.id}/cancel`), '0 none', { subscriber })
    await sequence.sendUnchecked('DELETE', `/org/subscribers/${subscriber}`)
  },

  async override(sequence) {
    const limit = sequence.next()
    await sequence.pair('override', sequence.write('PUT', override, { kind: 'limit', limit }), `${limit} override`)
    await sequence.pair('override', sequence.write('DELETE', override), `${sequence.seats} plan`)
  },

  /** The override is written long before it ends: a pair consists of its end and an eval. */
  async expiry(sequence) {
    const subscriber = `s${sequence.next()}`
    const path = `/org/subscribers/${subscriber}`
    await sequence.sendUnchecked('POST', '/org/subscribers', { subscriber_id: subscriber })
    const expiresAt = Date.now() + 400
    const ends = { kind: 'limit', limit: 3, expires_at: new Date(expiresAt).toISOString() }
    await sequence.sendUnchecked('PUT', `${path}/overrides/seats`, ends)
    const readEffect = (url: string) => sequence.evaluate(url, { subscriber })
    // Let both processes see the override before it ends.
    const expire = async (url: string) => {
      await readEffect(url)
      await wait(Math.max(0, expiresAt + 2 - Date.now()))
    }
    await sequence.writeAndCheck('expiry', expire, '0 none', readEffect)
    await sequence.sendUnchecked('DELETE', path)
  },

  async key(sequence) {
    const [account, headers, keyPath] = await createKey(sequence)
    await sequence.pair('key', sequence.write('DELETE', keyPath), '401', { headers })
    await sequence.sendUnchecked('DELETE', account)
  },

  async member(sequence) {
    const [account, headers, , memberPath] = await createKey(sequence)
    const set = (status: string) => sequence.write('PATCH', memberPath, { status })
    await sequence.pair('member', set('disabled'), '401', { headers })
    await sequence.pair('member', set('active'), `${sequence.seats} plan`, { headers })
    await sequence.pair('member', sequence.write('DELETE', account), '401', { headers })
  },

  /** Checks whether the key can read the audit log: every role may evaluate, but not every role may read the log. */
  async role(sequence) {
    const [account, headers, , memberPath] = await createKey(sequence)
    const readEffect = async (url: string) => {
      const { status } = await sequence.client.ask(url, { method: 'GET', path: '/org/audit-events?limit=1', headers })
      return `${status}`
    }
    const set = (role: string) => (url: string) =>
      sequence.client.askSuccessfully(url, sequence.write('PATCH', memberPath, { role }))
    await sequence.writeAndCheck('role', set('admin'), '200', readEffect)
    await sequence.writeAndCheck('role', set('viewer'), '403', readEffect)
    await sequence.sendUnchecked('DELETE', account)
  },

  async session(sequence, { token }) {
    const path = `/user/organizations/${sequence.tenant.organizationId}`
    const authorization = `Bearer ${token}`
    // Cookies are set only for the service's own pages.
    const post = (url: string, what: string) => {
      const headers = { authorization, origin: url }
      return sequence.client.askSuccessfully(url, { method: 'POST', path: `${path}/${what}`, body: {}, headers })
    }
    let cookie = ''
    const open = async (url: string) => {
      const { cookies } = await post(url, 'sign-in')
      cookie = cookies.map((each) => each.split(';')[0]).join('; ')
    }
    const readEffect = (url: string) => evaluateInConsole(sequence, url, cookie)
    await sequence.writeAndCheck('session', open, `${sequence.seats}`, readEffect)
    await sequence.writeAndCheck('session', (url) => post(url, 'sign-out'), 'UNAUTHORIZED', readEffect)
  },

  async limits(sequence, { setAllotment }) {
    const { organizationId } = sequence.tenant
    const set = (allotment: string) => () => setAllotment(organizationId, allotment)
    const readEffect = (url: string) => sequence.evaluate(url)
    await sequence.writeAndCheck('limits', set('0'), '409', readEffect)
    await sequence.writeAndCheck('limits', set('default'), `${sequence.seats} plan`, readEffect)
  },
}

type CreatedKey = [account: string, headers: Record<string, string>, keyPath: string, memberPath: string]

/** Creates a service account with a key. This is a pair too: once the key is answered, it works in every process. */
async function createKey(sequence: PairSequence): Promise<CreatedKey> {
  const named = { name: `a${sequence.next()}`, role: 'viewer' }
  const { body: account } = await sequence.sendUnchecked('POST', '/org/service-accounts', named)
  const path = `/org/service-accounts/${account.service_account_id}`
  let headers = {}
  const { key_id } = await sequence.writeAndCheck(
    'key',
    async (url) => {
      const { body } = await sequence.client.askSuccessfully(
        url,
        sequence.write('POST', `${path}/api-keys`, { name: 'fresh' }),
      )
      headers = { 'x-api-key': body.key }
      return body
    },
    `${sequence.seats} plan`,
    (url) => sequence.evaluate(url, { headers }),
  )
  return [path, headers, `${path}/api-keys/${key_id}`, `/org/members/${account.member_id}`]
}

/** Returns the limit, or the code of the refusal. */
async function evaluateInConsole(sequence: PairSequence, url: string, cookie: string): Promise<string> {
  const { body } = await sequence.client.ask(url, {
    method: 'POST',
    path: '/graphql',
    body: { query: '{ check(subscriberId: "acme", feature: "seats") { limit } }' },
    headers: { cookie, origin: url, 'x-organization-id': sequence.tenant.organizationId },
  })
  return `${body.errors?.[0].extensions.code ?? body.data.check.limit}`
}
