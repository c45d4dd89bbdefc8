import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll } from 'vitest'

export type Issuer = {
  /** The variables of a service that accepts this issuer. */
  env: Record<string, string>
  /** The number of requests for its keys. */
  readonly keyRequests: number
  token(claims: Record<string, unknown>, options?: { key?: 'own' | 'unknown'; alg?: string }): Promise<string>
  /** Stops answering requests for its keys. */
  hang(): void
  /** Answers requests for its keys with this status and body. */
  answer(status: number, body: string): void
  /** Publishes its own key again, after this many others. */
  recover(others?: number): void
}

/** An external identity provider on loopback. */
export async function startIssuer(): Promise<Issuer> {
  const keys = { own: await generateKeyPair('ES256'), unknown: await generateKeyPair('ES256') }
  const jwk = { ...(await exportJWK(keys.own.publicKey)), kid: 'own', alg: 'ES256', use: 'sig' }
  const keysAfter = (others: number) =>
    JSON.stringify({ keys: [...Array.from({ length: others }, (_, n) => ({ ...jwk, kid: `k${n}` })), jwk] })
  let keyRequests = 0
  let reply: { status: number; body: string } | null = { status: 200, body: keysAfter(0) }
  const server = createServer((_request, response) => {
    keyRequests += 1
    if (reply) response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    env: { AUTH_JWKS_URL: `${url}/jwks`, AUTH_ISSUER: url, AUTH_AUDIENCE: 'entitlements' },
    get keyRequests() {
      return keyRequests
    },
    token(claims, { key = 'own' } = {}) {
      const now = Math.floor(Date.now() / 1000)
      const payload = { iss: url, aud: 'entitlements', iat: now, exp: now + 600, ...claims }
      return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: key }).sign(keys[key].privateKey)
    },
    hang() {
      reply = null
      server.closeAllConnections()
    },
    answer(status, body) {
      reply = { status, body }
    },
    recover(others = 0) {
      reply = { status: 200, body: keysAfter(others) }
    },
  }
}
