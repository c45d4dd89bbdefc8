import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import { newId } from '../../src/core/ids.ts'
import { atEnd } from './at-end.ts'

/** The provider's claims about a person, besides the subject. */
type ProviderClaims = { name?: string; email?: string; groups?: unknown }

export type TestProvider = {
  issuer: string
  /** The variables of a service where its people sign in. */
  env: Record<string, string>
  /** Adds a person who can sign in; returns their subject. */
  add(staff: ProviderClaims): string
  /** Sets this person's claims from now on. */
  change(subject: string, staff: ProviderClaims): void
  /** The next person to sign in, in any browser that the provider does not know; with null it refuses everyone. */
  next: string | null
  /** Stops answering, or answers again. */
  away: boolean
  /** The requests of servers: for its keys, tokens and metadata. */
  readonly serverRequests: string[]
}

const client = { id: 'entitlements', secret: 'a secret of 32 characters or more' }

/**
 * A real OpenID Provider in this process, at `localhost`, while services of tests are at 127.0.0.1: for browsers these are
 * different sites. With `inIdToken`, claims are in the ID token, and not only at the userinfo endpoint.
 */
export async function startProvider({ inIdToken = false } = {}): Promise<TestProvider> {
  const people = new Map<string, ProviderClaims>()
  let listener: RequestListener = () => {}
  const serverRequests: string[] = []
  const server = createServer((request, response) => {
    if (state.away) return void request.socket.destroy()
    if (request.headers['user-agent']?.includes('openid-client'))
      serverRequests.push(new URL(request.url ?? '', issuer).pathname)
    return listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const state: TestProvider = {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret, OIDC_NAME: 'Acme Login' },
    next: null,
    away: false,
    serverRequests,
    add(staff) {
      const subject = newId()
      people.set(subject, staff)
      return subject
    },
    change: (subject, staff) => void people.set(subject, staff),
  }
  const provider = await createProvider(issuer, people, inIdToken)
  const callback = provider.callback()
  listener = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response)
    const result = state.next
      ? { login: { accountId: state.next } }
      : { error: 'access_denied', error_description: 'not assigned to this application' }
    void provider.interactionFinished(request, response, result)
  }
  return state
}

async function createProvider(
  issuer: string,
  people: ReadonlyMap<string, ProviderClaims>,
  inIdToken: boolean,
): Promise<Provider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: ['https://replaced.example'] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'own', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of tests'] },
    claims: { openid: ['sub'], email: ['email'], profile: ['name', 'groups'] },
    conformIdTokenClaims: !inIdToken,
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ttl: { Session: 60, Interaction: 60, Grant: 60, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
    findAccount: (_context, accountId) => {
      const { ...claims } = people.get(accountId) ?? {}
      return { accountId, claims: async () => ({ sub: accountId, ...claims }) }
    },
    // Every person consents.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: client.id, accountId: oidc.session?.accountId as string })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  // The port of the service is not known yet.
  provider.Client.prototype.redirectUriAllowed = (uri: string) =>
    /^http:\/\/127\.0\.0\.1:\d+\/auth\/oidc\/callback$/.test(uri)
  return provider
}
