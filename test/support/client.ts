import { Entitlements } from '../../src/client/entitlements.ts'
import type { EntitlementsOptions } from '../../src/client/options.ts'
import { type Environment, environmentOf } from '../../src/client/platform.ts'
import { atEnd } from './at-end.ts'
import type { Caller, TestService } from './service.ts'
import { vendor } from './vendor.ts'

export type TestClient = {
  entitlements: Entitlements
  /** The snapshots that the client requested, by path. */
  snapshotRequests: string[]
  /** How many requests for the snapshots of many subscribers it sent. */
  countBulkRequests(): number
  /** How many streams or polls of changes it began. */
  countFeedRequests(): number
  /** Advances its clock, as if the machine had slept. */
  sleep(ms: number): void
}

/** For clients that ask a real service: on a slow machine, an answer may take longer than a client waits by default. */
export const patient = { timeoutMs: 30_000 }

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * A patient client whose clock the test can advance, and that logs no warnings unless the options have a logger. Closes after
 * the test or the file.
 */
export function startClient(options: EntitlementsOptions, ownFetch?: Environment['fetch']): TestClient {
  const real = environmentOf(ownFetch)
  const snapshotRequests: string[] = []
  let feedRequests = 0
  let bulkRequests = 0
  let clockAheadMs = 0
  const environment: Environment = {
    ...real,
    now: () => real.now() + clockAheadMs,
    fetch(url, init) {
      const { pathname } = new URL(url)
      if (pathname === '/org/entitlements') bulkRequests += 1
      else if (pathname.endsWith('/entitlements')) snapshotRequests.push(pathname)
      if (pathname === '/org/changes') feedRequests += 1
      return real.fetch(url, init)
    },
  }
  const entitlements = new Entitlements({ logger: silent, ...patient, ...options }, environment)
  atEnd(() => entitlements.close())
  return {
    entitlements,
    snapshotRequests,
    countBulkRequests: () => bulkRequests,
    countFeedRequests: () => feedRequests,
    sleep(ms) {
      clockAheadMs += ms
    },
  }
}

/** A vendor with one feature of each kind, a plan that grants them, `acme` on it, and a key for its product. */
export async function startVendor(
  service: TestService,
): Promise<{ admin: Caller; access: { baseUrl: string; apiKey: string } }> {
  const admin = await service.organization()
  const { features, plan, subscriber, subscribe } = vendor(admin)
  await features()
  await plan('pro', {
    sso: { kind: 'flag' },
    seats: { kind: 'limit', limit: 5 },
    color: { kind: 'config', value: 'red' },
  })
  await subscriber('acme')
  await subscribe('acme', 'pro')
  const product = await service.member(admin.organizationId, 'evaluator')
  return { admin, access: { baseUrl: service.url, apiKey: product.key } }
}
