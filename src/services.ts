import type { Logger } from 'pino'
import type { Identity } from './access/identity.ts'
import { createLastUses } from './access/last-uses.ts'
import { createUnknownIds } from './access/outside-account.ts'
import { createOutsideIssuer } from './access/outside-issuer.ts'
import { createPasswordWork } from './access/password-work.ts'
import { hasAnyLabel } from './access/roles.ts'
import { createUserTokens } from './access/user-token.ts'
import type { Config } from './config.ts'
import { FairQueue } from './core/fair-queue.ts'
import { Places } from './core/places.ts'
import type { Vault } from './core/vault.ts'
import type { Database } from './database/client.ts'
import { limits } from './database/limits.ts'
import type { Jobs } from './events/jobs.ts'
import { createGate } from './gate/gate.ts'
import { createLimitNotices } from './gate/limit-notices.ts'
import { createFailureLog } from './http/failure-log.ts'
import { createOwnAddress } from './http/own-address.ts'
import { logFailures, notifyAll, type Observer } from './operation/observation.ts'
import { Rates } from './operation/rate.ts'
import type { Services } from './operation/services.ts'
import { recordOutcome } from './recording/record.ts'
import { createSettler } from './recording/settler.ts'

export type ServicesDependencies = {
  config: Config
  database: Database
  vault: Vault
  jobs: Jobs
  logger: Logger
  /** Is notified of every request for an operation, in addition to the log. */
  observe?: Observer
}

/**
 * Uses a part of the pool's 20 connections: the others are for evals, authentication, and reads outside the queue. While
 * nothing ends, work waits for its turn as long as for a connection, so that in an outage every request is answered in time.
 */
const queueOfDatabase = { atOnce: 12, waiting: 2000, maxWaitMs: 10_000, maxStallMs: limits.connectTimeoutMs }

/** Each holds a few batches in memory; the database works on one batch of an organization at a time. */
const bulkLimits = { ofOne: 2, ofAll: 24 }

/** What the operations of both doors use. `close` lets running work end. */
export function createServices(dependencies: ServicesDependencies): { services: Services; close(): Promise<void> } {
  const { config, database, vault, jobs, logger, observe } = dependencies
  const { gate, limitNotices } = createLimitedGate(dependencies)
  const lastUses = createLastUses(database, logger)
  const settler = createSettler({ record: (entry, outcome) => recordOutcome(database, entry, outcome), logger })
  const queue = new FairQueue({
    ...queueOfDatabase,
    atOnceOfOne: config.maxRunningRequests,
    waitingOfOne: config.maxWaitingRequests,
  })
  const bulkPlaces = new Places(bulkLimits)
  const failures = createFailureLog(logger)
  return {
    services: {
      database,
      gate,
      jobs,
      vault,
      logger,
      limits: config,
      identity: createIdentity(config, vault),
      lastUses,
      settler,
      queue,
      bulkPlaces,
      rates: new Rates(),
      address: createOwnAddress({ config, logger }),
      failures,
      observe: notifyAll(logFailures(failures), observe),
    },
    async close() {
      await bulkPlaces.idle()
      await Promise.all([gate.close(), lastUses.close(), settler.close(), limitNotices.close()])
    },
  }
}

/** The gate, and the log's notices of organizations that reach their limits. */
function createLimitedGate({ config, database: { pool }, logger }: ServicesDependencies) {
  const evalLimits = {
    rateLimitPerSecond: config.evalRateLimitPerSecond,
    monthlyAllotment: config.evalMonthlyAllotment,
  }
  const limitNotices = createLimitNotices({ pool, logger, ...evalLimits })
  const gate = createGate({
    pool,
    ...evalLimits,
    onRateLimited: limitNotices.rateLimited,
    answerTimeoutMs: config.answerTimeoutMs,
    mayEvaluate: (role) => hasAnyLabel(role, ['entitlements:read']),
  })
  return { gate, limitNotices }
}

function createIdentity(config: Config, vault: Vault): Identity {
  return {
    tokens: createUserTokens(vault),
    outsideIssuer: config.outsideIssuer && createOutsideIssuer(config.outsideIssuer),
    unknownId: createUnknownIds(vault),
    signUp: config.signUp,
    passwords: createPasswordWork(config.maxPasswordsAtOnce),
  }
}
