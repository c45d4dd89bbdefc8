import type { Pool } from 'pg'
import { Role } from '../database/generated/enums.ts'
import type { Standby } from '../database/standby.ts'
import { type BulkOutcome, type BulkRequest, BulkSnapshots } from './bulk/bulk-snapshots.ts'
import { bulkTexts } from './bulk/bulk-text.ts'
import { LargeEvalAnswerer } from './large-reads/large-eval-answerer.ts'
import { BatchAnswerer } from './loop/answer-batch.ts'
import { BatchLoop } from './loop/batch-loop.ts'
import { createKnownKeys } from './loop/known-keys.ts'
import { startBatchSpan } from './loop/start-batch.ts'
import type { ResolvedEntitlements } from './resolution/resolved-entitlements.ts'
import { GateConnection } from './statement/gate-connection.ts'
import { gateTexts } from './statement/gate-text.ts'
import { MemoryLimits } from './statement/memory-limits.ts'
import type { EvalOutcome, EvalRequest } from './statement/outcome.ts'
import { Refunds } from './statement/refunds.ts'
import { UncountedEvals } from './statement/uncounted-evals.ts'

export type { EvalCaller } from './statement/gate-statement.ts'
export type { EvalOutcome } from './statement/outcome.ts'

export type GateOptions = {
  pool: Pool
  /** Answers evals while the primary is gone. */
  standby?: Standby | null
  /** The rate limit of organizations without their own. */
  rateLimitPerSecond: number
  /** The fraction of an organization's rate, from 0 to 1, that evals by all subscribers' tokens together may use. */
  tokenRateShare: number
  /** Evals in a calendar month for organizations without their own allotment; null is unlimited. */
  monthlyAllotment: number | null
  /** Whether the role has the label for evals. */
  mayEvaluate: (role: Role) => boolean
  /** Called for each eval that the rate limit refuses; must be fast. */
  onRateLimited?: (organizationId: string) => void
  /** Called for each eval whose key may not be used from the caller's network; must be fast. */
  onElsewhere?: () => void
  /** Called with the number of evals of each statement; must be fast. */
  onBatch?: ((size: number) => void) | undefined
  /** Whether evals may have spans; the statement that they share then gets a span, too. */
  isTraced?: boolean
  /** Called for each granted eval, with whether its catalog was in memory; must be fast. */
  onCatalogRead?: ((isHit: boolean) => void) | undefined
  /** Called for each granted eval with its answer; must be fast. */
  onGranted?: ((subscriberId: string, entitlements: ResolvedEntitlements) => void) | undefined
  /** The maximum number of evals in one statement. */
  maxBatch?: number
  /** The approximate memory for catalogs, in bytes; large catalogs have a second store of the same size. */
  maxCatalogBytes?: number
  /** The time within which a client must read a large answer. */
  answerTimeoutMs?: number
  /**
   * The time limit for connecting, and for each statement. An eval waits at most for the previous statement, a connection and
   * its own statement, plus `largeTimeoutMs` for large data.
   */
  timeoutMs?: number
  /** The time limit for reading large data. By default, twice `timeoutMs`. */
  largeTimeoutMs?: number
  /** A SQL expression for the database's time; tests replace it. */
  clock?: string
}

/**
 * Answers evals. Rejects with the database's error if the database prevents an answer. While the database takes no writes, the
 * gate still answers evals, and counts them in memory.
 */
export type Gate = {
  evaluate(request: EvalRequest): Promise<EvalOutcome>
  /** Snapshots of many subscribers of one organization, which count against its allotment but not against its rate. */
  evaluateMany(request: BulkRequest): Promise<BulkOutcome>
  /** The organization of the key, if the key was used recently; otherwise null. */
  organizationOf(keyHash: string): string | null
  /** Undoes the count of a granted eval whose answer is not sent after all, and releases the memory of the answer. */
  takeBack(granted: ResolvedEntitlements): void
  /** The number of evals that were answered while the database took no writes, and are not yet added to its counts. */
  countUncounted(): number
  /**
   * Lets the running statement end, rejects waiting and new evals, undoes the counts of unanswered evals if the database
   * still answers, and returns the connections to the pool.
   */
  close(): Promise<void>
}

const maxKnownKeys = 50_000

/** `BatchLoop` decides which evals share a statement; `BatchAnswerer` answers each eval. */
export function createGate(options: GateOptions): Gate {
  const { pool, standby = null, onRateLimited, onElsewhere, onBatch, onCatalogRead, onGranted } = options
  const timeoutMs = options.timeoutMs ?? 3000
  const connection = new GateConnection({ pool, standby, timeoutMs })
  const isPrimary = () => !standby?.isInUse
  const uncounted = new UncountedEvals(pool, isPrimary)
  const refunds = new Refunds(pool, uncounted, isPrimary)
  const memoryOptions = { uncounted, tokenRateShare: options.tokenRateShare }
  const large = new LargeEvalAnswerer({
    read: (read) => (standby ? standby.read(read, { mayTakeLong: true }) : read(pool)),
    refunds,
    timeoutMs: options.largeTimeoutMs ?? 2 * timeoutMs,
    answerTimeoutMs: options.answerTimeoutMs ?? 30_000,
    maxCatalogBytes: options.maxCatalogBytes ?? 64 * 1024 * 1024,
  })
  const keys = createKnownKeys(maxKnownKeys)
  const defaults = {
    texts: gateTexts(options.clock),
    roles: Object.values(Role).filter(options.mayEvaluate),
    rateLimitPerSecond: options.rateLimitPerSecond,
    tokenRateShare: options.tokenRateShare,
    monthlyAllotment: options.monthlyAllotment,
    // Shorter than the statement's time limit, so that the database gives up before this process does.
    lockTimeoutMs: Math.ceil(timeoutMs / 2),
  }
  const callbacks = { onRateLimited, onElsewhere, onCatalogRead, onGranted }
  const memory = new MemoryLimits({ ...memoryOptions, countsRate: true })
  const answerer = new BatchAnswerer({ connection, large, keys, refunds, memory, defaults, ...callbacks })
  const loop = new BatchLoop({
    maxBatch: options.maxBatch ?? 500,
    answer(batch) {
      onBatch?.(batch.length)
      const span = options.isTraced ? startBatchSpan(batch) : null
      const answering = answerer.answer(batch)
      if (span) void answering.then(() => span.end())
      return answering
    },
    acceptsSecondStatement: () => connection.acceptsSecondStatement,
  })
  const bulk = new BulkSnapshots({
    connection: new GateConnection({ pool, standby, timeoutMs }),
    large,
    refunds,
    memory: new MemoryLimits({ ...memoryOptions, countsRate: false }),
    defaults: { ...defaults, texts: bulkTexts(options.clock) },
    onCatalogRead,
  })
  return {
    evaluate: (request) => loop.evaluate(request),
    evaluateMany: (request) => bulk.answer(request),
    organizationOf: (keyHash) => keys.get(keyHash)?.organizationId ?? null,
    takeBack(granted) {
      refunds.add(granted.organizationId, granted.countedAt)
      granted.drop()
    },
    countUncounted: () => uncounted.size,
    async close() {
      await Promise.all([loop.close(), bulk.close()])
      await large.close()
      connection.release()
      await Promise.all([refunds.close(), uncounted.close()])
    },
  }
}
