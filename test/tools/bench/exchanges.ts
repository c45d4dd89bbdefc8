import { ulid } from 'ulidx'
import { flagJson } from '../../../rest/ofrep/flag.ts'
import type { Exchange } from './http-load.ts'
import {
  checkBody,
  checksBody,
  entitlementOf,
  featureOf,
  flagsBody,
  planKey,
  size,
  snapshotBody,
  subscriberId,
} from './model.ts'

const random = (below: number) => Math.floor(Math.random() * below)

/** A request as bytes. */
export function request(method: string, path: string, key: string, body?: string, headers = ''): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${key}\r\n${headers}`
  if (body === undefined) return `${head}\r\n`
  return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function faultAgainst(expected: () => string): Exchange['faultOf'] {
  return (status, body) => {
    if (status !== '200') return 'an answer that is not 200'
    return body === expected() ? null : `another body than expected: ${expected()}`
  }
}

/** A check of a random feature for a random subscriber of a random organization. `below`: only for the first subscribers. */
export function nextCheck(keys: readonly string[], below: number = size.subscribers): Exchange {
  const organization = random(size.organizations)
  return nextCheckOf(keys[organization] as string, organization, below)
}

/** The same check in this organization. */
export function nextCheckOf(key: string, organization: number, below: number = size.subscribers): Exchange {
  const [subscriber, feature] = [random(below), random(size.features)]
  const path = `/org/subscribers/${subscriberId(subscriber)}/entitlements/check`
  return {
    request: request('POST', path, key, `{"feature":"${featureOf(feature).key}"}`),
    faultOf: faultAgainst(() => checkBody(organization, subscriber, feature)),
  }
}

/** The same check as an OFREP flag. */
export function nextFlag(keys: readonly string[]): Exchange {
  const [organization, subscriber, feature] = [
    random(size.organizations),
    random(size.subscribers),
    random(size.features),
  ]
  const path = `/ofrep/v1/evaluate/flags/${featureOf(feature).key}`
  const context = `{"context":{"targetingKey":"${subscriberId(subscriber)}"}}`
  return {
    request: request('POST', path, keys[organization] as string, context),
    faultOf: faultAgainst(() => flagJson(entitlementOf(organization, subscriber, feature))),
  }
}

/** All flags of a random subscriber of a random organization. */
export function nextFlags(keys: readonly string[]): Exchange {
  const [organization, subscriber] = [random(size.organizations), random(size.subscribers)]
  const context = `{"context":{"targetingKey":"${subscriberId(subscriber)}"}}`
  return {
    request: request('POST', '/ofrep/v1/evaluate/flags', keys[organization] as string, context),
    faultOf: faultAgainst(() => flagsBody(organization, subscriber)),
  }
}

const allFeatures = Array.from({ length: size.features }, (_, feature) => featureOf(feature).key)
const checksRequest = JSON.stringify({ features: allFeatures })

/** A check of all features of a random subscriber of a random organization. */
export function nextChecks(keys: readonly string[]): Exchange {
  const [organization, subscriber] = [random(size.organizations), random(size.subscribers)]
  const path = `/org/subscribers/${subscriberId(subscriber)}/entitlements/check`
  return {
    request: request('POST', path, keys[organization] as string, checksRequest),
    faultOf: faultAgainst(() => checksBody(organization, subscriber)),
  }
}

/** A snapshot of one of a random organization's first five subscribers: fetched in full once, then confirmed by its tag. */
export function nextUnchanged(keys: readonly string[], tags: Map<string, string>): Exchange {
  const [organization, subscriber] = [random(size.organizations), random(5)]
  const path = `/org/subscribers/${subscriberId(subscriber)}/entitlements`
  const name = `${organization} ${subscriber}`
  const tag = tags.get(name)
  const headers = tag === undefined ? '' : `If-None-Match: ${tag}\r\n`
  return {
    request: request('GET', path, keys[organization] as string, undefined, headers),
    faultOf(status, _body, head) {
      if (tag !== undefined) return status === '304' ? null : 'an answer that is not 304'
      tags.set(name, /\r\netag: ("[^"]+")/i.exec(head)?.[1] ?? '')
      return status === '200' ? null : 'an answer that is not 200'
    },
  }
}

/** A snapshot of a random subscriber of a random organization. */
export function nextSnapshot(keys: readonly string[], below: number = size.subscribers): Exchange {
  const [organization, subscriber] = [random(size.organizations), random(below)]
  return {
    request: request('GET', `/org/subscribers/${subscriberId(subscriber)}/entitlements`, keys[organization] as string),
    faultOf: faultAgainst(() => snapshotBody(organization, subscriber)),
  }
}

/** A signed snapshot, which must be that of the organization's own subscriber. */
export function nextSigned(keys: readonly string[]): Exchange {
  const [organization, subscriber] = [random(size.organizations), random(size.subscribers)]
  const path = `/org/subscribers/${subscriberId(subscriber)}/entitlements`
  const accept = 'Accept: application/jwt\r\n'
  return {
    request: request('GET', path, keys[organization] as string, undefined, accept),
    faultOf(status, body) {
      if (status !== '200') return 'an answer that is not 200'
      const claims = Buffer.from(body.split('.')[1] ?? '', 'base64url').toString()
      return claims.endsWith(`"snapshot":${snapshotBody(organization, subscriber)}}`) ? null : 'another snapshot'
    },
  }
}

/** Puts a limit for a random subscriber after the first `from` of an organization. Compares ids and times by their form. */
export function nextPut(keys: readonly string[], from = 0): Exchange {
  const [organization, subscriber] = [random(keys.length), from + random(size.subscribers - from)]
  const feature = random(Math.floor(size.features / 3)) * 3 + 1
  const limit = random(1_000_000)
  const { key } = featureOf(feature)
  const path = `/org/subscribers/${subscriberId(subscriber)}/overrides/${key}`
  const expected = { subscriber_id: subscriberId(subscriber), feature: key, kind: 'limit', limit, expires_at: null }
  return {
    request: request('PUT', path, keys[organization] as string, `{"kind":"limit","limit":${limit}}`),
    faultOf: (status, body) => (status === '200' ? faultOfOverride(body, expected) : 'an answer that is not 200'),
  }
}

type CreatedSubscribers = { organization: number; subscriberId: string }[]

/** Creates a subscriber, and remembers it once the service has answered. */
export function nextCreateSubscriber(keys: readonly string[], created: CreatedSubscribers): Exchange {
  const organization = random(keys.length)
  const id = `new-${ulid()}`
  return {
    request: request('POST', '/org/subscribers', keys[organization] as string, `{"subscriber_id":"${id}"}`),
    faultOf(status, body) {
      if (status !== '201' || JSON.parse(body).subscriber_id !== id) return 'an answer without the new subscriber'
      created.push({ organization, subscriberId: id })
      return null
    },
  }
}

/** Subscribes one of the new subscribers to a plan. */
export function nextCreateSubscription(keys: readonly string[], created: CreatedSubscribers): Exchange {
  const subscriber = created.pop()
  if (!subscriber) throw new Error('Every new subscriber has a subscription already.')
  const plan = planKey(random(size.plans))
  const path = `/org/subscribers/${subscriber.subscriberId}/subscriptions`
  return {
    request: request('POST', path, keys[subscriber.organization] as string, `{"plan_id":"${plan}"}`),
    faultOf: (status, body) =>
      status === '201' && JSON.parse(body).plan_id === plan ? null : 'an answer without the new subscription',
  }
}

const ulidShape = /^[0-9A-HJKMNP-TV-Z]{26}$/
const timestampShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function faultOfOverride(body: string, expected: object): string | null {
  const { id, created_at, updated_at, ...rest } = JSON.parse(body)
  if (!ulidShape.test(id) || !timestampShape.test(created_at) || !timestampShape.test(updated_at))
    return 'a wrong shape'
  const sorted = (value: object) => JSON.stringify(Object.entries(value).sort())
  return sorted(rest) === sorted(expected) ? null : `another body than expected: ${JSON.stringify(expected)}`
}

/** Repeats one request and its answer, for the bare server. */
export function exchangeWithBareServer(text: string, body: string): () => Exchange {
  const exchange: Exchange = { request: text, faultOf: faultAgainst(() => body) }
  return () => exchange
}
