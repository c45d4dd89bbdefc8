import { createRemoteJWKSet, errors, type JWTVerifyOptions, jwtVerify } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { personOf } from '../support/person.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, send, startService, type TestService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await startService({ PUBLIC_URL: 'https://entitlements.example/' })
const other = await startService()

const path = '/org/subscribers/acme/entitlements'

/** Creates an organization whose subscriber `acme` has one override, which ends at this time, or never. */
async function organizationWithOverride(expiresAt: string | null = null): Promise<Caller> {
  const caller = await service.organization()
  const given = vendor(caller)
  await given.features()
  await given.plan('pro', { sso: { kind: 'flag' } })
  await given.subscriber('acme')
  await given.subscribe('acme', 'pro')
  await given.override('acme', 'seats', { kind: 'limit', limit: 7, expires_at: expiresAt })
  return caller
}

type SnapshotRequest = { at?: TestService; method?: string; headers?: Record<string, string> }

/** Does not use `send`, because `send` checks every answer against the described JSON. */
function ask(
  { key }: Caller,
  query = '',
  { at = service, method = 'GET', headers }: SnapshotRequest = {},
): Promise<Response> {
  return fetch(at.url + path + query, { method, headers: { accept: 'application/jwt', 'x-api-key': key, ...headers } })
}

async function tokenOf(caller: Caller, query = '', at = service): Promise<string> {
  const response = await ask(caller, query, { at })
  expect(response.status).toBe(200)
  return response.text()
}

/** Verifies like a receiver that has only the address of the key set. */
function verify(token: string, { organizationId }: Caller, options: JWTVerifyOptions = {}, at = service) {
  const keys = createRemoteJWKSet(new URL(`${at.url}/.well-known/jwks.json`), { timeoutDuration: 60_000 })
  return jwtVerify(token, keys, { audience: organizationId, subject: 'acme', typ: 'entitlements+jwt', ...options })
}

const loadUsedEvals = async (caller: Caller) => (await vendor(caller).get('/org/eval-usage')).used
const refusalOf = async (response: Response) => ({
  status: response.status,
  headers: response.headers,
  body: await response.json(),
})

// The counted evals of a test must be of one month.
beforeEach(waitIfNearMidnight)

describe('a signed snapshot', () => {
  it('contains the snapshot in a claim, and can be verified with the keys that the service publishes', async () => {
    const caller = await organizationWithOverride()
    const from = Math.floor(Date.now() / 1000) - 60

    const response = await ask(caller)

    const { payload, protectedHeader } = await verify(await response.text(), caller)
    const { iat = 0 } = payload
    expect(protectedHeader).toEqual({
      alg: 'EdDSA',
      kid: expect.stringMatching(/^[\w-]{43}$/),
      typ: 'entitlements+jwt',
    })
    expect(payload).toEqual({
      iss: 'https://entitlements.example',
      sub: 'acme',
      aud: caller.organizationId,
      iat,
      exp: iat + 3_600,
      snapshot: await vendor(caller).get(path),
    })
    expect(iat).toBeGreaterThan(from)
    expect(iat).toBeLessThan(from + 120)
    expect(response.headers.get('content-type')).toBe('application/jwt')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('vary')).toBe('accept')
  })

  it('names the organization as its issuer if the service has no PUBLIC_URL', async () => {
    const caller = await organizationWithOverride()

    const { payload } = await verify(await tokenOf(caller, '', other), caller, {}, other)

    expect(payload.iss).toBe(caller.organizationId)
  })

  it('expires after `max_age`, and is then refused by its receiver', async () => {
    const caller = await organizationWithOverride()

    const token = await tokenOf(caller, '?max_age=60')

    const { payload } = await verify(token, caller)
    const { iat = 0, exp = 0 } = payload
    expect(exp).toBe(iat + 60)
    await verify(token, caller, { currentDate: new Date((exp - 1) * 1_000) })
    const late = verify(token, caller, { currentDate: new Date(exp * 1_000) })
    await expect(late).rejects.toThrow(errors.JWTExpired)
    expect((await verify(await tokenOf(caller, '?max_age=31536000'), caller)).payload).toMatchObject({
      exp: expect.any(Number),
    })
  })

  it('expires in the second in which the first override expires, if that is sooner', async () => {
    const caller = await organizationWithOverride('2999-01-01T00:00:00.999Z')
    const ends = Math.floor(Date.now() / 1_000) + 1_000

    const later = await verify(await tokenOf(caller), caller)
    const end = new Date(ends * 1_000 + 999).toISOString()
    await vendor(caller).override('acme', 'sso', { kind: 'flag', allowed: true, expires_at: end })
    const sooner = await verify(await tokenOf(caller), caller)

    expect((later.payload.exp ?? 0) - (later.payload.iat ?? 0)).toBe(3_600)
    expect(sooner.payload).toMatchObject({ exp: ends, snapshot: { valid_until: end } })
  })

  it('fails verification for another subscriber or organization, after it was altered, or with another key', async () => {
    const caller = await organizationWithOverride()
    const token = await tokenOf(caller)
    const [head = '', payload = '', signature = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const altered = Buffer.from(JSON.stringify({ ...claims, sub: 'globex' })).toString('base64url')

    await expect(verify(token, caller, { subject: 'globex' })).rejects.toThrow(errors.JWTClaimValidationFailed)
    await expect(verify(token, await service.organization())).rejects.toThrow(errors.JWTClaimValidationFailed)
    const forged = `${head}.${altered}.${signature}`
    await expect(verify(forged, caller, { subject: 'globex' })).rejects.toThrow(errors.JWSSignatureVerificationFailed)
    const { keys } = await (await fetch(`${service.url}/.well-known/jwks.json`)).json()
    const wrong = { ...keys[0], x: Buffer.alloc(32, 7).toString('base64url') }
    await expect(jwtVerify(token, wrong)).rejects.toThrow()
  })

  it('can be verified with Web Crypto by a page of another site', async () => {
    const caller = await organizationWithOverride()
    const token = await tokenOf(caller)
    const browser = await startBrowser()
    const { page } = await browser.open(other.url)
    await page.goto(`${other.url}/healthz`)

    const verified = await page.evaluate(
      async ({ token, address }) => {
        const [head = '', payload = '', signature = ''] = token.split('.')
        const bytesOf = (text: string) =>
          Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
        const { kid } = JSON.parse(new TextDecoder().decode(bytesOf(head)))
        const { keys } = await (await fetch(address)).json()
        const jwk = keys.find((each: { kid: string }) => each.kid === kid)
        const key = await crypto.subtle.importKey('jwk', jwk, { name: 'Ed25519' }, false, ['verify'])
        const isSigned = (text: string) =>
          crypto.subtle.verify('Ed25519', key, bytesOf(signature), new TextEncoder().encode(text))
        const { sub } = JSON.parse(new TextDecoder().decode(bytesOf(payload)))
        return { sub, whole: await isSigned(`${head}.${payload}`), altered: await isSigned(`${head}.${payload}A`) }
      },
      { token, address: `${service.url}/.well-known/jwks.json` },
    )

    expect(verified).toEqual({ sub: 'acme', whole: true, altered: false })
  })

  it('counts as an eval, even with HEAD, and ignores `If-None-Match`', async () => {
    const caller = await organizationWithOverride()
    const tag = (await send(service.url + path, 'GET', undefined, { 'x-api-key': caller.key })).headers.get('etag')

    const known = await ask(caller, '', { headers: { 'if-none-match': `${tag}, *` } })
    const head = await ask(caller, '', { method: 'HEAD' })

    expect([known.status, head.status]).toEqual([200, 200])
    expect([known, head].map(({ headers }) => headers.get('etag'))).toEqual([null, null])
    expect([known, head].map(({ headers }) => headers.get('content-type'))).toEqual([
      'application/jwt',
      'application/jwt',
    ])
    expect(await head.text()).toBe('')
    expect(await loadUsedEvals(caller)).toBe(3)
  })

  it('may contain several values of 60 kB each', async () => {
    const caller = await organizationWithOverride()
    const given = vendor(caller)
    for (let n = 0; n < 6; n++) {
      await given.feature(`text-${n}`, { kind: 'config', value_type: 'json' })
      await given.override('acme', `text-${n}`, { kind: 'config', value: `${n}é`.repeat(20_000) })
    }

    const { payload } = await verify(await tokenOf(caller), caller)

    expect(payload.snapshot).toEqual(await vendor(caller).get(path))
  })

  it('is not accepted as a personal sign-in, API key or subscriber token', async () => {
    const caller = await organizationWithOverride()
    const token = await tokenOf(caller)

    const person = personOf(service, { userId: '', email: '', password: '', token })
    expect((await person.rest('GET', '/user')).status).toBe(401)
    expect((await caller.rest('GET', path, undefined, { 'x-api-key': token })).status).toBe(401)
    const bearer = await ask(caller, '', { headers: { 'x-api-key': '', authorization: `Bearer ${token}` } })
    expect(bearer.status).toBe(401)
  })
})

describe('the refusal of a signed snapshot', () => {
  it('is an error in JSON, as for a plain snapshot: 401, 404, 409 and 429', async () => {
    const caller = await organizationWithOverride()
    const limit = (data: { rateLimit?: number; allotment?: bigint }) =>
      service.database.prisma.evalCounter.update({ where: { organizationId: caller.organizationId }, data })

    expectRefusal(await refusalOf(await ask({ ...caller, key: 'nope' })), 'UNAUTHORIZED', null)
    const unknown = await fetch(service.url + path.replace('acme', 'nobody'), {
      headers: { accept: 'application/jwt', 'x-api-key': caller.key },
    })
    expectRefusal(await refusalOf(unknown), 'NOT_FOUND', { resource: 'subscriber', id: 'nobody' })
    await limit({ allotment: 0n })
    expectRefusal(await refusalOf(await ask(caller)), 'CONFLICT', { field: 'evals', value: 0 })
    await limit({ rateLimit: 0 })
    expectRefusal(await refusalOf(await ask(caller)), 'RATE_LIMITED', { retry_after_seconds: 1 })
  })

  it.each(['59', '31536001', '-1', '60.5', 'an-hour', ''])(
    'is 422 for max_age=%s, which is ignored for a plain snapshot',
    async (text) => {
      const caller = await organizationWithOverride()
      const wrong: [string, RegExp] = ['max_age', /^max_age must be an integer from 60 to 31536000/]

      expectInvalid(await refusalOf(await ask(caller, `?max_age=${text}`)), wrong)
      expect(await loadUsedEvals(caller)).toBe(0)
      expect(await caller.rest('GET', `${path}?max_age=${text}&max_age=1`)).toMatchObject({ status: 200 })
    },
  )
})

it('a snapshot without `Accept: application/jwt` is plain, has a `Vary` header, and ignores unknown parameters', async () => {
  const caller = await organizationWithOverride()

  for (const accept of ['*/*', 'application/json', 'application/jwt-not']) {
    const answer = await caller.rest('GET', `${path}?max_age=60&nonsense=1`, undefined, { accept })
    expect(answer).toMatchObject({ status: 200, body: { subscriber_id: 'acme' } })
    expect(answer.headers.get('vary')).toBe('accept')
  }
})
