import { inject } from 'vitest'
import { budgetMs, transactionLimits } from '../../src/operation/write-budget.ts'
import { atEnd } from './at-end.ts'
import { startService, type TestService } from './service.ts'

const patienceMs = 60_000

/** The address of the database, for connections on which a statement may wait for a lock for a minute. */
function toPatientUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  for (const limit of ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'query_timeout'])
    url.searchParams.set(limit, String(patienceMs))
  return url.href
}

/**
 * Starts a service whose requests wait for up to a minute: for locks, for each other and until they have committed. On a slow
 * machine, a test holds a lock for longer than the usual limits.
 */
export function startPatientService(env: Record<string, string> = {}): Promise<TestService> {
  extendWrites()
  const DATABASE_URL = toPatientUrl(env.DATABASE_URL ?? inject('databaseUrl'))
  return startService({ ...env, DATABASE_URL }, undefined, undefined, { maxWaitMs: patienceMs })
}

/** Lets each write of this process take a minute, until the end of the test or the file. */
function extendWrites(): void {
  for (const limits of [budgetMs, transactionLimits]) {
    const before = { ...limits }
    for (const name of Object.keys(limits)) Object.assign(limits, { [name]: patienceMs })
    atEnd(() => void Object.assign(limits, before))
  }
}
