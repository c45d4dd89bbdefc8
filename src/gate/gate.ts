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
  /** For organizations without their own limit. */
  rateLimitPerSecond: number
  /** Evals in a calendar month for organizations without their own allotment; null is unlimited. */
  monthlyAllotment: number | null
  /** Whether the role carries the label of evals. */
  mayEvaluate: (role: Role) => boolean
  /** Called for each eval that the rate limit refuses; must not take time. */
  onRateLimited?: (organizationId: string) => void
  /** The maximum number of evals in one statement. */
  maxBatch?: number
  /** Approximate memory for catalogs; large ones have a second store of the same size. */
  maxCatalogBytes?: number
  /** The time within which a client must take a large answer. */
  answerTimeoutMs?: number
  /**
   * For connecting, and for one statement. An eval waits at most for the previous statement, a connection and its own
   * statement, and twice the time of a statement for large data.
   */
  timeoutMs?: number
}

/** Answers evals. If the database prevents an answer, rejects with the database's error. */
export type Gate = {
  evaluate(request: EvalRequest): Promise<EvalOutcome>
  /** The organization of the key, if the key was used recently; otherwise null. */
  organizationOf(keyHash: string): string | null
  /** Lets the running statement end, rejects waiting and new evals, and returns the connection. */
  close(): Promise<void>
}

type WaitingEval = {
  request: EvalRequest
  resolve: (outcome: EvalOutcome) => void
  reject: (error: unknown) => void
}

/** The catalog in memory when an eval's statement was sent: it may leave the store before the answer comes. */
type SentEval = AskedEval & { waiting: WaitingEval; catalog: Catalog | undefined }

/** The number of evals for which a second statement is sent while the database works on another. */
const minSecondBatch = 56

/**
 * The batched gate: all evals that arrive while a statement is running go into the next one. There is no timer:
 * an idle process sends at once, and batches grow with the load. Under load the next statement already waits in the
 * connection while the database works on the last one, so that neither side waits for the other.
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
  const replies: (() => void)[] = []
  let closed = false

  return {
    evaluate(request) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(closing())
        waiting.push({ request, resolve, reject })
        running ??= run()
        // Enough for a statement of their own, behind the running one.
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
    // Includes evals that the same turn of the event loop still reads from its sockets.
    await new Promise(setImmediate)
    while (waiting.length > 0 || inFlight > 0) {
      while (maySend()) send()
      await answered.promise
      answered = Promise.withResolvers()
      // Only after the database has its next statement: the callers' work with their answers would delay it.
      while (maySend()) send()
      for (const reply of replies.splice(0)) reply()
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
    void answer(batch).then((reply) => {
      inFlight -= 1
      replies.push(reply)
      answered.resolve()
    })
  }

  /** Sends the batch; resolves, in any case, to the function that answers its evals. */
  async function answer(batch: WaitingEval[]): Promise<() => void> {
    const rejectAll = (error: unknown) => {
      for (const { reject } of batch) reject(error)
    }
    try {
      const sent = batch.map(prepare)
      const rows = await connection.query(gateStatement(sent, defaults))
      return () => {
        try {
          replyTo(sent, readJudgement(rows, sent))
        } catch (error) {
          // Evals that were already answered stay unchanged.
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

  function replyTo(sent: SentEval[], { judged, tallies }: Judgement): void {
    for (const [index, asked] of sent.entries()) {
      const judgedEval = judged[index]
      if (judgedEval === undefined) {
        asked.waiting.resolve({ kind: 'unauthorized' })
        continue
      }
      const { organizationId } = judgedEval
      if (asked.keyHash !== undefined) keys.set(asked.keyHash, organizationId)
      try {
        replyToOne(asked, judgedEval, tallies.get(organizationId))
      } catch (error) {
        asked.waiting.reject(error)
      }
    }
  }

  function replyToOne({ waiting, features, catalog }: SentEval, judged: JudgedEval, tally: Tally | undefined): void {
    const { request, resolve, reject } = waiting
    if (judged.verdict === 'rate_limited') options.onRateLimited?.(judged.organizationId)
    const outcome = toRefusal(judged, tally, features) ?? toSmallAnswer(request, judged, tally as Tally, catalog)
    if (outcome !== null) resolve(outcome)
    else large.answer({ request, features, judged, tally: tally as Tally }).then(resolve, reject)
  }

  /** The answer if it needs only what is in memory, or null. */
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
