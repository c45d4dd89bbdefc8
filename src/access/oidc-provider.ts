import type { JWTPayload } from 'jose'
import * as oidc from 'openid-client'
import type { Logger } from 'pino'
import { Overloaded } from '../core/errors.ts'
import { isStorableText } from '../core/json.ts'
import type { ExternalIdentity } from './actor.ts'
import { readBoundedText } from './bounded-answer.ts'
import { CachedRead } from './cached-read.ts'
import { toExternalIdentity, toIssuedAt } from './external-issuer.ts'
import { fetchFromProvider } from './fetch-from-provider.ts'

/**
 * The values that the browser keeps while the person is at the provider. With them, the service checks that the answer belongs
 * to this sign-in.
 */
export type OidcChecks = { state: string; nonce: string; verifier: string }

/**
 * A person as the provider identifies them. `groups` is null if they are unknown: the provider sent none, and `groupsRequired`
 * is not set.
 */
export type OidcPerson = { identity: ExternalIdentity; issuedAt: Date | null; groups: readonly string[] | null }

/** The provider where users of the console sign in, with the authorization code flow of OpenID Connect. */
export type OidcProvider = {
  /** The text of the sign-in button. */
  name: string
  /** Returns the provider's URL to which to send the browser; throws 503 while the provider cannot be reached. */
  start(redirectUri: string): Promise<{ url: string; checks: OidcChecks }>
  /** Returns the person, once the provider has sent the browser to `address`. Throws `OidcRefusal`, or 503 like `start`. */
  finish(address: URL, checks: OidcChecks): Promise<OidcPerson>
}

export type OidcOptions = {
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  name: string
  groupsClaim: string
  /** Whether a missing claim means that the person has no groups; otherwise the person's groups are unknown. */
  groupsRequired: boolean
}

/** Thrown if the provider did not sign the person in, or its answer is not valid. */
export class OidcRefusal extends Error {
  override readonly name = 'OidcRefusal'
  /** `provider`: the provider refused; `proof`: its answer is not valid for this sign-in. */
  readonly by: 'provider' | 'proof'

  constructor(by: 'provider' | 'proof', cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.by = by
  }
}

const timeoutSeconds = 5
/** The provider's metadata is read again after this time. */
const freshMs = 600_000

export function createOidcProvider(options: OidcOptions, logger: Pick<Logger, 'warn'>): OidcProvider {
  const configuration = new CachedRead({
    read: () => discover(options),
    onFailed: (error) =>
      logger.warn(
        { err: error },
        'the identity provider (OIDC_ISSUER) cannot be reached: nobody can sign in with it until it answers again. This is logged once',
      ),
    onRecovered: () => logger.warn({}, 'the identity provider (OIDC_ISSUER) can be reached again'),
  })

  return {
    name: options.name,
    async start(redirectUri) {
      if (configuration.hasFailed || configuration.ageMs > freshMs) await configuration.ask()
      if (configuration.hasFailed || !configuration.value) throw providerUnavailable()
      const checks = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
      const url = oidc.buildAuthorizationUrl(configuration.value, {
        redirect_uri: redirectUri,
        scope: options.scopes,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, checks }
    },
    async finish(address, checks) {
      // This process may not know the provider yet, because another process may have started the sign-in.
      if (!configuration.value) await configuration.ask()
      if (!configuration.value) throw providerUnavailable()
      try {
        return await exchange(configuration.value, options, address, checks)
      } catch (error) {
        if (!isUnavailable(error)) throw toRefusal(error)
        // An anonymous client's input may be the cause, so only a failure to read the provider's metadata is remembered.
        void configuration.ask()
        throw providerUnavailable(error)
      }
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcOptions): Promise<oidc.Configuration> {
  const isHttp = new URL(issuer).protocol === 'http:'
  return oidc.discovery(new URL(issuer), clientId, undefined, authenticateClient(clientSecret), {
    timeout: timeoutSeconds,
    [oidc.customFetch]: boundedFetch,
    execute: [oidc.enableNonRepudiationChecks, ...(isHttp ? [oidc.allowInsecureRequests] : [])],
  })
}

/** Sends the client secret as the provider supports it: in the header, which is the default, or in the body. */
function authenticateClient(secret: string): oidc.ClientAuth {
  const [inHeader, inBody] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest)
  }
}

async function exchange(
  provider: oidc.Configuration,
  { groupsClaim, groupsRequired }: OidcOptions,
  address: URL,
  { state, nonce, verifier }: OidcChecks,
): Promise<OidcPerson> {
  const tokens = await oidc.authorizationCodeGrant(provider, address, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const idToken = tokens.claims() as oidc.IDToken
  const isComplete = [groupsClaim, 'email', 'name'].every((claim) => claim in idToken)
  // Many providers return groups and names only from the UserInfo endpoint.
  const needsUserInfo = !isComplete && provider.serverMetadata().userinfo_endpoint !== undefined
  const userInfo = needsUserInfo ? await oidc.fetchUserInfo(provider, tokens.access_token, idToken.sub) : {}
  const claims: JWTPayload = { ...userInfo, ...idToken }
  const identity = toExternalIdentity(idToken.iss, claims)
  if (!identity) throw new Error('the subject is empty, too long or not text')
  const groups = toGroups(claims[groupsClaim]) ?? (groupsRequired ? [] : null)
  return { identity, issuedAt: toIssuedAt(idToken), groups }
}

/** Some providers send a single group as text. */
function toGroups(claim: unknown): readonly string[] | null {
  if (typeof claim === 'string') return [claim]
  return Array.isArray(claim) ? claim.filter((group) => typeof group === 'string' && isStorableText(group)) : null
}

/** Thrown if no usable answer arrived: the request timed out, or the answer was too large or a server error. */
class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

/** Whether the error or its cause is a `ProviderUnavailable`: the package wraps the errors of its `fetch`. */
function isUnavailable(error: unknown): boolean {
  return error instanceof ProviderUnavailable || (error instanceof Error && error.cause instanceof ProviderUnavailable)
}

const boundedFetch: oidc.CustomFetch = async (url, options) => {
  try {
    const response = await fetchFromProvider(url, options as RequestInit)
    if (response.status >= 500) {
      await response.body?.cancel()
      throw new Error(`the provider answered with status ${response.status}`)
    }
    const { status, headers } = response
    return new Response(await readBoundedText(response), { status, headers })
  } catch (cause) {
    throw new ProviderUnavailable(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

function providerUnavailable(cause?: unknown): Overloaded {
  const message = 'The identity provider cannot be reached, so nobody can sign in with it. Try again in a minute.'
  return new Overloaded('identity_provider', message, cause)
}

function toRefusal(error: unknown): OidcRefusal {
  return new OidcRefusal(error instanceof oidc.AuthorizationResponseError ? 'provider' : 'proof', error)
}
