import type { Logger } from 'pino'
import { createKeyNetworks, type KeyNetworks } from './access/allowed-networks.ts'
import { CallerLookups } from './access/caller-lookups.ts'
import { createPseudonyms } from './access/external-account.ts'
import { createExternalIssuer } from './access/external-issuer.ts'
import type { IdentityServices } from './access/identity-services.ts'
import { setInstallationName } from './access/installation.ts'
import { createBrowserMarks } from './access/known-devices.ts'
import { createLastUses } from './access/last-uses.ts'
import { createPasswordQueue } from './access/password-queue.ts'
import { hasAnyLabel } from './access/roles.ts'
import { createSignInThrottle } from './access/sign-in-throttle.ts'
import { SigningKeys } from './access/signing-keys.ts'
import { createSubscriberTokens } from './access/subscriber-token.ts'
import { createUserTokens } from './access/user-token.ts'
import { ChangeFeed } from './changes/feed.ts'
import { publishFollowerCounts } from './changes/publish-follower-counts.ts'
import { watchRights } from './changes/watch-rights.ts'
import type { Config } from './config.ts'
import { connectionsOf } from './connections.ts'
import { Overloaded } from './core/errors.ts'
import { perProcessLimit } from './core/per-process-limit.ts'
import type { Vault } from './core/vault.ts'
import { warnAtIntervals } from './core/warn-at-intervals.ts'
import type { Database } from './database/client.ts'
import { limits } from './database/limits.ts'
import type { Jobs } from './events/jobs.ts'
import { FairQueue } from './fairness/fair-queue.ts'
import { RateLimiter } from './fairness/rate-limiter.ts'
import { Semaphore } from './fairness/semaphore.ts'
import { FeatureUsage } from './gate/feature-usage/feature-usage.ts'
import { createGate } from './gate/gate.ts'
import { createLimitNotices } from './gate/limit-notices.ts'
import { createFailureLog } from './http/failure-log.ts'
import { createOwnAddress } from './http/own-address.ts'
import { Metrics } from './metrics/metrics.ts'
import { readChanges } from './modules/changes/read-changes.ts'
import { findReadOperation } from './modules/find-read-operation.ts'
import { countRequests } from './operation/count-requests.ts'
import { exportLimits } from './operation/export.ts'
import { notifyAll, type Observer } from './operation/observation.ts'
import { RepeatedRequests } from './operation/repeated-requests.ts'
import { logRequests } from './operation/request-log.ts'
import type { Services } from './operation/services.ts'
import { StorageQuota } from './operation/storage-quota.ts'
import { createLateOutcomes } from './recording/late-outcomes.ts'
import { recordOutcome } from './recording/record.ts'
import { Refusals } from './recording/refusals.ts'
import type { Tracing } from './tracing/tracing.ts'

export type ServicesDependencies = {
  config: Config
  database: Database
  /** Connects to the database directly, not through a PgBouncer. */
  directUrl: string
  vault: Vault
  jobs: Jobs
  logger: Logger
  /** Aborts once the database has a migration that does not allow this version: see database/watch.ts. */
  outdated?: AbortSignal
  /** How many refusals are recorded each minute: see recording/refusals.ts. */
  maxRefusalsPerMinute?: number | undefined
  /** How long requests and lookups wait for each other, in any case; tests replace the limits of `waitsForDatabase`. */
  maxWaitMs?: number | undefined
  /** How often the counts of followers are published: see changes/publish-follower-counts.ts. */
  followersPublishedEveryMs?: number | undefined
  /** Absent when metrics are disabled. */
  metrics?: Metrics | undefined
  /** Absent when traces are not exported. */
  tracing?: Tracing | undefined
  /** Called for each request for an operation, in addition to the log. */
  observe?: Observer
}

/**
 * Waiting requests are refused once no running request has ended for the time limit of a connection, so that even in an outage
 * all requests are answered in time.
 */
const waitsForDatabase = { waiting: 2000, maxWaitMs: 10_000, maxStallMs: limits.connectTimeoutMs }

function waitLimits({ maxWaitMs }: ServicesDependencies) {
  return { ...waitsForDatabase, ...(maxWaitMs && { maxWaitMs, maxStallMs: maxWaitMs }) }
}

/** A search may use a core of the database for a second. The owner's next search then waits as long as the last one took. */
const searchLimits = { ...waitsForDatabase, atOnce: 2, atOnceOfOne: 1, waitingOfOne: 100, restsAfterMs: 50 }

/** A signed snapshot can be sent only when it is complete; until then, the largest take about 60 megabytes each. */
const signatureLimits = { atOnce: 2, atOnceOfOne: 1, waiting: 200, waitingOfOne: 20, maxWaitMs: 10_000 }

/** While it waits for its client or a slot, a bulk write holds part of its body, a line and a batch: at most 300 KB of text. */
const bulkLimits = { ofOne: 2, ofAll: 1_000 }
/** A batch takes a few megabytes. While the database writes a batch of an organization, the next one is parsed. */
const batchLimits = {
  atOnce: 24,
  atOnceOfOne: 2,
  waiting: 2_000,
  waitingOfOne: 8,
  maxWaitMs: 60_000,
  maxStallMs: 60_000,
}

/** `close` waits for running work. */
type CreatedServices = { services: Services; close(): Promise<void> }

/** Creates the services that operations of both APIs use. */
export async function createServices(dependencies: ServicesDependencies): Promise<CreatedServices> {
  const { config, database, vault, jobs, logger, outdated, observe, metrics = new Metrics() } = dependencies
  setInstallationName(config.installation)
  const perProcess = (limit: number) => perProcessLimit(limit, config.processes)
  const dividedLimits = <T extends { atOnce: number }>(limits: T) => ({ ...limits, atOnce: perProcess(limits.atOnce) })
  const keyOrigins = createKeyNetworks(config, logger)
  const { gate, limitNotices } = createLimitedGate(dependencies, keyOrigins)
  const lastUses = createLastUses(database, logger)
  const lateOutcomes = createLateOutcomes({ record: recordOutcome.bind(null, database), logger })
  const { queued, lookups: atOnceOfLookups } = connectionsOf(config.processes)
  const queue = new FairQueue({
    ...waitLimits(dependencies),
    atOnce: queued,
    atOnceOfOne: config.maxRunningRequests,
    waitingOfOne: config.maxWaitingRequests,
  })
  const bulkSlots = new Semaphore({ ...bulkLimits, ofAll: perProcess(bulkLimits.ofAll) })
  const lookups = new CallerLookups(atOnceOfLookups, dependencies.maxWaitMs)
  const changes = new ChangeFeed({
    pool: database.pool,
    directUrl: dependencies.directUrl,
    logger,
    onSent: (ms) => metrics.changeToReceipt.observe(ms / 1000, 'feed'),
  })
  const stopPublishing = publishFollowerCounts(changes, { ...dependencies, pool: database.pool })
  const stopWatchingRights = watchRights(changes, database.pool, readChanges.labels)
  const failures = createFailureLog(logger, (reason) => metrics.requestsRefused.add(1, reason))
  const searches = new FairQueue(dividedLimits(searchLimits))
  const largeSignatures = new FairQueue(dividedLimits(signatureLimits))
  metrics.requestsWaiting.addSource(() => [{ value: queue.waiting + searches.waiting + largeSignatures.waiting }])
  metrics.followers.addSource(() => [{ value: changes.followers().length }])
  const repeats = new RepeatedRequests(database.pool, logger)
  return {
    services: {
      database,
      gate,
      jobs,
      changes,
      ...createStreamSlots(config, perProcess),
      vault,
      signingKeys: new SigningKeys({ vault, ...database }),
      logger,
      limits: config,
      identity: await createIdentity(dependencies, lookups),
      subscriberTokens: createSubscriberTokens(vault),
      lastUses,
      keyOrigins,
      lateOutcomes,
      lookups,
      queue,
      searches,
      largeSignatures,
      bulkSlots,
      ending: new AbortController(),
      batchSlots: new FairQueue(dividedLimits(batchLimits)),
      rateLimiter: new RateLimiter(),
      refusals: new Refusals(dependencies.maxRefusalsPerMinute),
      storageQuota: new StorageQuota(config.maxStoredBytes),
      repeats,
      findReadOperation,
      address: createOwnAddress({ config, logger }),
      metrics,
      failures,
      assertCurrent: () => assertCurrent(outdated),
      observe: notifyAll(
        logRequests({ logger, failures, slowRequestMs: config.slowRequestMs }),
        dependencies.metrics && countRequests(metrics),
        observe,
      ),
    },
    async close() {
      stopWatchingRights()
      await changes.close()
      await stopPublishing()
      await bulkSlots.idle()
      await Promise.all([gate.close(), lastUses.close(), lateOutcomes.close(), repeats.close(), limitNotices.close()])
    },
  }
}

/** The slots of streams and waiting requests. */
function createStreamSlots({ maxFollowers, maxConnections: ofAll }: Config, perProcess: (limit: number) => number) {
  return {
    followerSlots: new Semaphore({ ofOne: maxFollowers, ofAll }),
    tokenSubjectSlots: {
      ofSubscriber: new Semaphore({ ofOne: 3, ofAll }),
      ofOwner: new Semaphore({ ofOne: Math.ceil(ofAll / 2), ofAll }),
    },
    exportSlots: new Semaphore({ ...exportLimits, ofAll: perProcess(exportLimits.ofAll) }),
  }
}

function assertCurrent(outdated: AbortSignal | undefined): void {
  if (!outdated?.aborted) return
  throw new Overloaded(
    'outdated',
    'This process runs an older version than the database, and no longer answers. Try again in a moment: newer processes will answer.',
  )
}

/** Creates the gate, its counts by feature, and the log notices about organizations that reach their limits. */
function createLimitedGate(
  { config, database: { pool, standby }, logger, metrics, tracing }: ServicesDependencies,
  keyOrigins: KeyNetworks,
) {
  const evalLimits = {
    rateLimitPerSecond: config.evalRateLimitPerSecond,
    monthlyAllotment: config.evalMonthlyAllotment,
  }
  const limitNotices = createLimitNotices({ pool, logger, ...evalLimits })
  const warn = warnAtIntervals(logger, 60_000)
  const featureUsage = new FeatureUsage({
    pool,
    mayStore: () => !standby?.isInUse,
    onLost: (error) => warn({ err: error }, 'counts of checks by feature were lost'),
  })
  const gate = createGate({
    pool,
    standby,
    ...evalLimits,
    tokenRateShare: config.tokenRateShare,
    onRateLimited: limitNotices.rateLimited,
    onElsewhere: keyOrigins.refused,
    isTraced: tracing !== undefined,
    onBatch: metrics && ((size) => metrics.evalBatchSize.observe(size)),
    onCatalogRead: metrics && ((isHit) => metrics.catalogReads.add(1, isHit ? 'hit' : 'miss')),
    onGranted: (subscriberId, entitlements) => featureUsage.count(subscriberId, entitlements),
    answerTimeoutMs: config.answerTimeoutMs,
    mayEvaluate: (role) => hasAnyLabel(role, ['entitlements:read']),
  })
  metrics?.evalsUncounted.addSource(() => [{ value: gate.countUncounted() }])
  metrics?.standbyUnready.addSource(() => [{ value: standby?.isReady === false ? 1 : 0 }])
  // Close the gate first, so that the requests that it still answers are counted.
  const close = async () => {
    await gate.close()
    await featureUsage.close()
  }
  return { gate: { ...gate, close }, limitNotices }
}

async function createIdentity(
  { config, database, vault, logger }: ServicesDependencies,
  lookups: CallerLookups,
): Promise<IdentityServices> {
  // Loads the client of OpenID Connect only if people sign in with it.
  const oidc = config.oidc && (await import('./access/oidc-provider.ts')).createOidcProvider(config.oidc, logger)
  return {
    tokens: createUserTokens(vault),
    externalIssuer: config.externalIssuer && createExternalIssuer(config.externalIssuer, logger),
    oidc,
    localSignIn: config.localSignIn,
    unknownId: createPseudonyms(vault),
    signUp: config.signUp,
    marks: createBrowserMarks(vault),
    passwords: createPasswordQueue(config.maxPasswordsAtOnce),
    throttle: createSignInThrottle(database, lookups),
  }
}
