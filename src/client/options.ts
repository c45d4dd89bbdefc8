import type { Fetch, Logger } from './platform.ts'
import type { Access } from './server.ts'
import type { Snapshot } from './snapshot.ts'
import type { Store } from './store.ts'

export type EntitlementsOptions = Partial<Access> & {
  /**
   * How fresh answers are. `feed` (the default): the client follows changes, and answers are as of the service's last message,
   * which is at most 10 seconds old. `webhook`: an answer is used until `handleWebhook` receives a change, for at most 5
   * minutes. `{ seconds }`: an answer is used for at most this time.
   */
  freshness?: 'feed' | 'webhook' | { seconds: number } | undefined
  /** The secret of the webhook, for `handleWebhook`. Pass both secrets while you replace one. */
  webhookSecret?: string | readonly string[] | undefined
  /** The maximum number of subscribers in memory; 10,000 by default. */
  maxSubscribers?: number | undefined
  /**
   * The answer when the service is unavailable: the last known answer (the default), a denial (`deny`) or a grant (`allow`).
   * An answer in `defaults` takes precedence over `deny` and `allow`.
   */
  onUnavailable?: 'last-known' | 'deny' | 'allow' | undefined
  /**
   * The answers by feature if the service does not answer, or does not know the feature: true or false for a flag, a number for
   * a limit (`Infinity`: unlimited), or the value of a config.
   */
  defaults?: { readonly [feature: string]: unknown } | undefined
  /** Initial answers that another program got from the service, such as a page's server. Null means none. */
  bootstrap?: Snapshot | readonly Snapshot[] | null | undefined
  /** Stores the last known answers outside the process, so that they survive a restart. */
  store?: Store | undefined
  /**
   * The id of the organization. It is part of the keys in `store`, with the address of the service, so that several
   * installations and organizations can share a store. By default, the keys contain the beginning of `apiKey`, or the
   * organization in `token` if `token` is a string.
   */
  organizationId?: string | undefined
  /** Never asks the service: answers come from `bootstrap`, `store` and `defaults`. */
  offline?: boolean | undefined
  /** The time limit for one answer, including retries, in milliseconds; 2,000 by default. */
  timeoutMs?: number | undefined
  /** The function that sends requests, instead of the platform's own `fetch`. */
  fetch?: Fetch | undefined
  /** The logger; by default the console, with each kind of warning at most once a minute. */
  logger?: Logger | undefined
}

declare const atob: (text: string) => string

const minValues = { maxSubscribers: 1, timeoutMs: 1 }

const optionNames: Record<keyof EntitlementsOptions, true> = {
  baseUrl: true,
  apiKey: true,
  token: true,
  freshness: true,
  webhookSecret: true,
  maxSubscribers: true,
  onUnavailable: true,
  defaults: true,
  bootstrap: true,
  store: true,
  organizationId: true,
  offline: true,
  timeoutMs: true,
  fetch: true,
  logger: true,
}

/** The names of options that do not exist, for a warning: a misspelled option has no effect. */
export function unknownOptions(options: object): string[] {
  return Object.keys(options).filter((name) => !Object.hasOwn(optionNames, name))
}

/** Completes the options with their defaults. Throws `TypeError` for an invalid option. */
export function completeOptions(options: EntitlementsOptions) {
  const {
    baseUrl = '',
    apiKey,
    token,
    offline = false,
    freshness = 'feed',
    bootstrap = [],
    webhookSecret = [],
  } = options
  const numbers = {
    maxSubscribers: 10_000,
    timeoutMs: 2_000,
    ...withoutUndefined(options, ['maxSubscribers', 'timeoutMs']),
  }
  for (const [name, least] of Object.entries(minValues)) {
    const value = numbers[name as keyof typeof numbers]
    if (!(value >= least)) throw new TypeError(`${name} must be a number of at least ${least}.`)
  }
  if (typeof freshness === 'object' && !(freshness.seconds >= 0)) {
    throw new TypeError('freshness.seconds must be a number of at least 0.')
  }
  const secrets = [webhookSecret].flat()
  if (secrets.some((secret) => !secret)) throw new TypeError('webhookSecret is empty.')
  if (!offline) {
    if (!/^https?:\/\//.test(baseUrl))
      throw new TypeError('baseUrl must be the address of the service, such as https://…')
    if ((apiKey === undefined) === (token === undefined)) throw new TypeError('Pass apiKey or token, and not both.')
    if (apiKey === '' || token === '') throw new TypeError(`${apiKey === '' ? 'apiKey' : 'token'} is empty.`)
    // The platform would refuse such a header with a message that contains the key, and that may end up in a log.
    const isSendable = [apiKey, token].every((each) => typeof each !== 'string' || /^[\x21-\x7e]+$/.test(each.trim()))
    if (!isSendable) throw new TypeError('apiKey or token contains an invalid character. Copy it again.')
  }
  const address = baseUrl.trim().replace(/\/+$/, '')
  return {
    ...options,
    ...numbers,
    access: { baseUrl: address, apiKey, token },
    storeOwner: `${address}:${options.organizationId ?? organizationPartOf({ apiKey, token })}`,
    offline,
    freshness,
    onUnavailable: options.onUnavailable ?? 'last-known',
    defaults: options.defaults ?? {},
    snapshots: [bootstrap ?? []].flat() as readonly Snapshot[],
    secrets: secrets as readonly string[],
  }
}

/** The number of characters of a key that the console shows. */
const shownCharacters = 12

/** A text that identifies the organization, from the key or the token; empty if neither contains one. */
function organizationPartOf({ apiKey, token }: Pick<Access, 'apiKey' | 'token'>): string {
  if (apiKey !== undefined) return apiKey.trim().slice(0, shownCharacters)
  if (typeof token !== 'string') return ''
  try {
    const claims = token.split('.')[1] ?? ''
    return String(JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/'))).org ?? '')
  } catch {
    return ''
  }
}

function withoutUndefined<Value extends object, Name extends keyof Value>(value: Value, names: readonly Name[]) {
  const entries = names.map((name) => [name, value[name]]).filter(([, each]) => each !== undefined)
  return Object.fromEntries(entries) as { [Each in Name]: number }
}

export type CompleteOptions = ReturnType<typeof completeOptions>
