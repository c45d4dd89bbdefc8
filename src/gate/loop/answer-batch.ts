import type { LargeEvalAnswerer } from '../large-reads/large-eval-answerer.ts'
import type { Catalog } from '../resolution/catalog.ts'
import type { ResolvedEntitlements } from '../resolution/resolved-entitlements.ts'
import { type EvalDecision, type EvalDecisions, readDecisions, type Tally } from '../statement/eval-decisions.ts'
import type { GateConnection } from '../statement/gate-connection.ts'
import { gateStatement, type RequestedEval } from '../statement/gate-statement.ts'
import type { MemoryLimits } from '../statement/memory-limits.ts'
import { type EvalOutcome, resolveFromMemory, toRefusal } from '../statement/outcome.ts'
import type { Refunds } from '../statement/refunds.ts'
import type { WaitingEval } from './batch-loop.ts'
import type { KnownKeys } from './known-keys.ts'

type BatchAnswererOptions = {
  connection: GateConnection
  large: LargeEvalAnswerer
  keys: KnownKeys
  refunds: Refunds
  /** Counts evals while the database takes no writes. */
  memory: MemoryLimits
  /** The limits of organizations without their own, and the roles that may evaluate. */
  defaults: Parameters<typeof gateStatement>[1]
  /** Called for each eval that the rate limit refuses; must be fast. */
  onRateLimited?: ((organizationId: string) => void) | undefined
  /** Called for each eval whose key may not be used from the caller's network; must be fast. */
  onElsewhere?: (() => void) | undefined
  /** Called for each granted eval, with whether its catalog was in memory; must be fast. */
  onCatalogRead?: ((isHit: boolean) => void) | undefined
  /** Called for each granted eval with its answer; must be fast. */
  onGranted?: ((subscriberId: string, entitlements: ResolvedEntitlements) => void) | undefined
}

/** `catalog` is the catalog in memory when the statement was sent; the store may drop it before the answer arrives. */
type SentEval = RequestedEval & { waiting: WaitingEval; catalog: Catalog | undefined }

/** Answers a batch of evals: counts and decides them in one statement, and reads large data separately. */
export class BatchAnswerer {
  readonly #options: BatchAnswererOptions

  constructor(options: BatchAnswererOptions) {
    this.#options = options
  }

  /**
   * Sends the batch. Never rejects: resolves to a function that answers the evals, or that rejects them if the batch failed.
   */
  async answer(batch: WaitingEval[]): Promise<() => void> {
    const { connection, defaults, refunds, memory } = this.#options
    const rejectAll = (error: unknown) => {
      for (const { reject } of batch) reject(error)
    }
    try {
      const sentEvals = batch.map((waiting) => this.#prepare(waiting))
      const { rows, isCounted } = await connection.query(
        (mode) => gateStatement(sentEvals, defaults, mode),
        (batchId) => refunds.addLost(batchId),
      )
      return () => {
        try {
          this.#replyTo(sentEvals, readDecisions(rows, sentEvals, isCounted ? null : memory))
        } catch (error) {
          // Evals that already have an answer keep it.
          rejectAll(error)
        }
      }
    } catch (error) {
      return () => rejectAll(error)
    }
  }

  #prepare(waiting: WaitingEval): SentEval {
    const { keys, large } = this.#options
    const { keyHash, from, member, tokenSubject, subscriberId, features } = waiting.request
    const knownKey = keyHash === undefined ? undefined : keys.get(keyHash)
    const organizationId = keyHash === undefined ? (member ?? tokenSubject).organizationId : knownKey?.organizationId
    const catalog = organizationId === undefined ? undefined : large.catalogs.get(organizationId)
    return {
      ...(keyHash !== undefined ? { keyHash } : member ? { member } : { tokenSubject }),
      keyAddress: knownKey?.isBound === false ? null : (from?.keyAddress ?? null),
      heldVersion: catalog?.version ?? null,
      subscriberId,
      features: features === null || features.length === 1 ? features : Array.from(new Set(features)),
      areFeaturesKnown: catalog !== undefined && hasAllFeatures(catalog, features),
      waiting,
      catalog,
    }
  }

  #replyTo(sentEvals: SentEval[], { decisions, tallies }: EvalDecisions): void {
    for (const [index, sentEval] of sentEvals.entries()) {
      const decision = decisions[index]
      if (decision === undefined) {
        sentEval.waiting.resolve({ kind: 'unauthorized' })
        continue
      }
      const { organizationId, isBound } = decision
      if (sentEval.keyHash !== undefined && !this.#options.keys.has(sentEval.keyHash))
        this.#options.keys.set(sentEval.keyHash, { organizationId, isBound })
      try {
        this.#replyToOne(sentEval, decision, tallies.get(organizationId))
      } catch (error) {
        const tally = tallies.get(organizationId)
        if (decision.verdict === 'granted' && tally) this.#options.refunds.add(organizationId, tally.now)
        sentEval.waiting.reject(error)
      }
    }
  }

  #replyToOne({ waiting, features, catalog }: SentEval, decision: EvalDecision, tally: Tally | undefined): void {
    const { large, onRateLimited, onElsewhere, onCatalogRead, onGranted } = this.#options
    const { request, resolve, reject } = waiting
    if (decision.verdict === 'rate_limited') onRateLimited?.(decision.organizationId)
    if (decision.verdict === 'elsewhere') onElsewhere?.()
    const outcome =
      toRefusal(decision, tally, features) ??
      resolveFromMemory(request, decision, tally as Tally, {
        catalog: catalog?.version === tally?.catalogVersion ? catalog : large.catalogs.get(decision.organizationId),
        onCatalogRead,
      })
    const answer = (finalOutcome: EvalOutcome) => {
      if (finalOutcome.kind === 'granted') onGranted?.(request.subscriberId, finalOutcome.entitlements)
      resolve(finalOutcome)
    }
    if (outcome !== null) answer(outcome)
    else
      large
        .answer({ request, features, decision, tally: tally as Tally })
        .then(answer)
        .catch(reject)
  }
}

function hasAllFeatures(catalog: Catalog, features: readonly string[] | null): boolean {
  return features === null || features.every((key) => catalog.has(key))
}
