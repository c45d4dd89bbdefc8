import { randomBytes } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import { decryptOidcChecks, encryptOidcChecks, signInSeconds } from '../../rest/oidc/sealed-checks.ts'
import { createVault } from '../../src/core/vault.ts'

afterEach(() => void vi.useRealTimers())

const vault = createVault(randomBytes(32))
const checks = { state: 's', nonce: 'n', codeVerifier: 'v', to: '/account' }

it('the checks of a sign-in with OpenID Connect expire after ten minutes, even if the browser keeps their cookie', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const sealed = encryptOidcChecks(vault, checks as never)

  vi.advanceTimersByTime(signInSeconds * 1000 - 1)
  expect(decryptOidcChecks(vault, sealed)).toMatchObject(checks)
  vi.advanceTimersByTime(1)
  expect(decryptOidcChecks(vault, sealed)).toBeNull()
  expect(signInSeconds).toBe(600)
})
