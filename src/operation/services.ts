import type { Logger } from 'pino'
import type { KeyNetworks } from '../access/allowed-networks.ts'
import type { CallerLookups } from '../access/caller-lookups.ts'
import type { IdentityServices } from '../access/identity-services.ts'
import type { LastUses } from '../access/last-uses.ts'
import type { SigningKeys } from '../access/signing-keys.ts'
import type { SubscriberTokens } from '../access/subscriber-token.ts'
import type { ChangeFeed } from '../changes/feed.ts'
import type { Vault } from '../core/vault.ts'
import type { Database } from '../database/client.ts'
import type { Jobs } from '../events/jobs.ts'
import type { FairQueue } from '../fairness/fair-queue.ts'
import type { RateLimiter } from '../fairness/rate-limiter.ts'
import type { Semaphore } from '../fairness/semaphore.ts'
import type { Gate } from '../gate/gate.ts'
import type { FailureLog } from '../http/failure-log.ts'
import type { OwnAddress } from '../http/own-address.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { LateOutcomes } from '../recording/late-outcomes.ts'
import type { Refusals } from '../recording/refusals.ts'
import type { Limits } from './limits.ts'
import type { Observer } from './observation.ts'
import type { RepeatedRequests } from './repeated-requests.ts'
import type { OperationRequest } from './request.ts'
import type { StorageQuota } from './storage-quota.ts'

/** The dependencies of operations; built once when the process starts. */
export type Services = {
  database: Database
  gate: Gate
  jobs: Jobs
  /** Wakes and serves the followers of changes. */
  changes: ChangeFeed
  /** For waiting polls and streams of changes. */
  followerSlots: Semaphore
  /** For polls and streams with subscriber tokens: a few slots for each subscriber, and for all subscribers of one owner. */
  tokenSubjectSlots: { ofSubscriber: Semaphore; ofOwner: Semaphore }
  vault: Vault
  /** For signatures that third parties verify. */
  signingKeys: SigningKeys
  limits: Limits
  identity: IdentityServices
  subscriberTokens: SubscriberTokens
  lastUses: LastUses
  keyOrigins: KeyNetworks
  lateOutcomes: LateOutcomes
  /** Finds callers, and runs the requests of anonymous clients. */
  lookups: CallerLookups
  /** Reads and writes of known callers. */
  queue: FairQueue
  /** Searches, which also wait in `queue`. */
  searches: FairQueue
  /** For large snapshots that are signed, which must be in memory as a whole. */
  largeSignatures: FairQueue
  /** For exports, which last as long as their clients take to read them. */
  exportSlots: Semaphore
  /** Aborted when the process stops: ends answers that may take long, so that their clients connect to another process. */
  ending: AbortController
  /** For writes of many lines, which may run for hours. */
  bulkSlots: Semaphore
  /** For the batches that bulk writes hold in memory. */
  batchSlots: FairQueue
  rateLimiter: RateLimiter
  refusals: Refusals
  storageQuota: StorageQuota
  repeats: RepeatedRequests
  /**
   * Returns the read of the object that a write with this answer returns, or null if no operation reads that object alone.
   * `values` are the values of the write's path and input. A dependency, not an import: only the list of all operations can
   * find the read, and operations import this folder.
   */
  findReadOperation(
    answer: object | null,
  ): ((services: Services, request: OperationRequest, values: object) => Promise<unknown>) | null
  address: OwnAddress
  logger: Logger
  metrics: Metrics
  failures: FailureLog
  /** Throws 503 once the database has a migration that this version cannot run with. */
  assertCurrent(): void
  /** Called for every request for an operation. */
  observe: Observer
}
