import type { Pool } from 'pg'
import { unavailable } from '../core/errors.ts'
import { Role } from '../database/generated/enums.ts'
import { batchLength } from './batch-length.ts'
import type { Catalog } from './catalog.ts'
import { GateConnection } from './gate-connection.ts'
import { type AskedEval, gateStatement } from './gate-statement.ts'
import { type JudgedEval, type Judgement, readJudgement, type Tally } from './judgement.ts'
import { createKnownKeys } from './known-keys.ts'
import { LargeReads } from './large-reads.ts'
import { type EvalOutcome, type EvalRequest, toGranted, toRefusal } from './outcome.ts'

export type { EvalCaller } from './gate-statement.ts'
export type { EvalOutcome, EvalRequest } from './outcome.ts'

export type GateOptions = {
  pool: Pool
  /** For organizations without a limit of their own. */
  rateLimitPerSecond: number
  /** Evals a calendar month for organizations without an allotment of their own; null is unlimited. */
  monthlyAllotment: number | null
  /** Whether the role carries the label of evals. */
  mayEvaluate: (role: Role) => boolean
  /** Called for each eval that the rate limit refuses; must not take time. */
  onRateLimited?: (organizationId: string) => void
  /** Evals in one statement at most. */
  maxBatch?: number
  /** Catalogs kept in memory, roughly; large ones have as much again. */
  maxCatalogBytes?: number
  /** Within which a client takes a large answer. */
  answerTimeoutMs?: number
  /**
   * For connecting, and for one statement; an eval waits for a statement, a connection and its own statement at most, and
   * for what is large twice as long as for a statement.
   */
  timeoutMs?: number
}

/** Answers evals. One that cannot be answered because of the database rejects with the database's error. */
export type Gate = {
  evaluate(request: EvalRequest): Promise<EvalOutcome>
  /** Whose key this is, if it was used lately; null otherwise. */
  organizationOf(keyHash: string): string | null
  /** Lets the statement in flight end, rejects what waits and what comes, and gives the connection back. */
  close(): Promise<void>
}

type WaitingEval = {
  request: EvalRequest
  resolve: (outcome: EvalOutcome) => void
  reject: (error: unknown) => void
}

/** What was in memory for an eval when its statement was sent: it may leave the store before the answer comes. */
type SentEval = AskedEval & { waiting: WaitingEval; catalog: Catalog | undefined }

/** So many evals are worth a statement that waits in the connection while the database is at another. */
const minSecondBatch = 56

/**
 * The batched gate: everything that arrives while a statement is in flight goes into the next one. There is no timer:
 * an idle process sends at once, and batches grow by themselves with the load. Under load the next statement waits in the
 * connection already while the database is at the last one, so that neither side waits for the other.
 */
export function createGate(options: GateOptions): Gate {
  const { pool } = options
  const timeoutMs = options.timeoutMs ?? 3000
  const maxBatch = options.maxBatch ?? 500
  const connection = new GateConnection(pool, timeoutMs)
  const large = new LargeReads({
    pool,
    timeoutMs: 2 * timeoutMs,
    answerTimeoutMs: options.answerTimeoutMs ?? 30_000,
    maxCatalogBytes: options.maxCatalogBytes ?? 64 * 1024 * 1024,
  })
  const keys = createKnownKeys(50_000)
  const defaults = {
    roles: Object.values(Role).filter(options.mayEvaluate),
    rateLimitPerSecond: options.rateLimitPerSecond,
    monthlyAllotment: options.monthlyAllotment,
    // Shorter than the statement's time, so that the database gives up before this side does.
    lockTimeoutMs: Math.ceil(timeoutMs / 2),
  }
  let waiting: WaitingEval[] = []
  let running: Promise<void> | null = null
  let inFlight = 0
  let answered = Promise.withResolvers<void>()
  const settlers: (() => void)[] = []
  let closed = false

  return {
    evaluate(request) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(closing())
        waiting.push({ request, resolve, reject })
        running ??= run()
        // Enough for a statement of their own, behind the one that the database is at.
        if (waiting.length === minSecondBatch) answered.resolve()
      })
    },
    organizationOf: (keyHash) => keys.get(keyHash) ?? null,
    async close() {
      closed = true
      const rejected = waiting
      waiting = []
      for (const { reject } of rejected) reject(closing())
      await running
      await large.close()
      connection.release()
    },
  }

  async function run(): Promise<void> {
    // What the same turn of the event loop still reads from its sockets comes along.
    await new Promise(setImmediate)
    while (waiting.length > 0 || inFlight > 0) {
      while (maySend()) send()
      await answered.promise
      answered = Promise.withResolvers()
      // Only after the database has its next statement: what callers do with their answers would keep it waiting.
      while (maySend()) send()
      for (const settle of settlers.splice(0)) settle()
    }
    running = null
  }

  function maySend(): boolean {
    if (waiting.length === 0) return false
    return inFlight === 0 || (inFlight === 1 && waiting.length >= minSecondBatch && connection.takesAnother)
  }

  function send(): void {
    const length = batchLength(waiting, maxBatch)
    const batch = waiting.slice(0, length)
    waiting = waiting.slice(length)
    inFlight += 1
    void answer(batch).then((settle) => {
      inFlight -= 1
      settlers.push(settle)
      answered.resolve()
    })
  }

  /** Sends the batch; resolves, whatever comes, to what settles its evals. */
  async function answer(batch: WaitingEval[]): Promise<() => void> {
    const rejectAll = (error: unknown) => {
      for (const { reject } of batch) reject(error)
    }
    try {
      const sent = batch.map(prepare)
      const rows = await connection.query(gateStatement(sent, defaults))
      return () => {
        try {
          settle(sent, readJudgement(rows, sent))
        } catch (error) {
          // Those that were settled already stay as they are.
          rejectAll(error)
        }
      }
    } catch (error) {
      return () => rejectAll(error)
    }
  }

  function prepare(entry: WaitingEval): SentEval {
    const { keyHash, member, subscriberId, features } = entry.request
    const organizationId = keyHash !== undefined ? keys.get(keyHash) : member.organizationId
    const catalog = organizationId === undefined ? undefined : large.catalogs.get(organizationId)
    return {
      ...(keyHash !== undefined ? { keyHash } : { member }),
      held: catalog?.version ?? null,
      subscriberId,
      features: features === null || features.length === 1 ? features : Array.from(new Set(features)),
      known: catalog !== undefined && hasAll(catalog, features),
      waiting: entry,
      catalog,
    }
  }

  function hasAll(catalog: Catalog, features: readonly string[] | null): boolean {
    return features === null || features.every((key) => catalog.has(key))
  }

  function settle(sent: SentEval[], { judged, tallies }: Judgement): void {
    for (const [index, asked] of sent.entries()) {
      const judgedEval = judged[index]
      if (judgedEval === undefined) {
        asked.waiting.resolve({ kind: 'unauthorized' })
        continue
      }
      const { organizationId } = judgedEval
      if (asked.keyHash !== undefined) keys.set(asked.keyHash, organizationId)
      try {
        settleOne(asked, judgedEval, tallies.get(organizationId))
      } catch (error) {
        asked.waiting.reject(error)
      }
    }
  }

  function settleOne({ waiting, features, catalog }: SentEval, judged: JudgedEval, tally: Tally | undefined): void {
    const { request, resolve, reject } = waiting
    if (judged.verdict === 'rate_limited') options.onRateLimited?.(judged.organizationId)
    const outcome = toRefusal(judged, tally, features) ?? toSmallAnswer(request, judged, tally as Tally, catalog)
    if (outcome !== null) resolve(outcome)
    else large.answer({ request, features, judged, tally: tally as Tally }).then(resolve, reject)
  }

  /** The answer that needs nothing but what is here, or null. */
  function toSmallAnswer(
    request: EvalRequest,
    judged: JudgedEval,
    { now, catalogVersion }: Tally,
    sentWith: Catalog | undefined,
  ): EvalOutcome | null {
    const { overrides, organizationId, planKey } = judged
    const catalog = sentWith?.version === catalogVersion ? sentWith : large.catalogs.get(organizationId)
    if (catalog?.version !== catalogVersion || overrides === null) return null
    if (request.features === null && catalog.isLarge(planKey)) return null
    return toGranted(request, judged, now, { catalog, overrides })
  }
}

function closing(): Error {
  return unavailable('This server is shutting down. Try again in a moment.')
}
