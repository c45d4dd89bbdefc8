import type { LargeReads } from '../large-reads/large-reads.ts'
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
  large: LargeReads
  keys: KnownKeys
  refunds: Refunds
  /** Counts while the database takes no writes. */
  memory: MemoryLimits
  /** The limits of organizations without their own, and the roles that may evaluate. */
  defaults: Parameters<typeof gateStatement>[1]
  /** Called for each eval that the rate limit refuses; must be fast. */
  onRateLimited?: ((organizationId: string) => void) | undefined
  /** Called for each eval whose key is not allowed from the caller's network; must be fast. */
  onElsewhere?: (() => void) | undefined
  /** Called for each granted eval: whether the catalog was in memory; must be fast. */
  onCatalogRead?: ((isHit: boolean) => void) | undefined
  /** Called for each granted eval with its answer; must be fast. */
  onGranted?: ((subscriberId: string, entitlements: ResolvedEntitlements) => void) | undefined
}

/** `catalog` is the one in memory when the statement was sent: the store may drop it before the answer arrives. */
type SentEval = RequestedEval & { waiting: WaitingEval; catalog: Catalog | undefined }

/** Answers a batch of evals: counts and decides them in one statement, and reads large data separately. */
export class BatchAnswerer {
  readonly #options: BatchAnswererOptions

  constructor(options: BatchAnswererOptions) {
    this.#options = options
  }

  /** Sends the batch; always resolves to the function that answers its evals, or rejects them. */
  async answer(batch: WaitingEval[]): Promise<() => void> {
    const { connection, defaults, refunds, memory } = this.#options
    const rejectAll = (error: unknown) => {
      for (const { reject } of batch) reject(error)
    }
    try {
      const sent = batch.map((waiting) => this.#prepare(waiting))
      const { rows, isCounted } = await connection.query(
        (how) => gateStatement(sent, defaults, how),
        (batchId) => refunds.addLost(batchId),
      )
      return () => {
        try {
          this.#replyTo(sent, readDecisions(rows, sent, isCounted ? null : memory))
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
    const known = keyHash === undefined ? undefined : keys.get(keyHash)
    const organizationId = keyHash === undefined ? (member ?? tokenSubject).organizationId : known?.organizationId
    const catalog = organizationId === undefined ? undefined : large.catalogs.get(organizationId)
    return {
      ...(keyHash !== undefined ? { keyHash } : member ? { member } : { tokenSubject }),
      keyAddress: known?.isBound === false ? null : (from?.keyAddress ?? null),
      held: catalog?.version ?? null,
      subscriberId,
      features: features === null || features.length === 1 ? features : Array.from(new Set(features)),
      known: catalog !== undefined && hasAll(catalog, features),
      waiting,
      catalog,
    }
  }

  #replyTo(sent: SentEval[], { decisions, tallies }: EvalDecisions): void {
    for (const [index, asked] of sent.entries()) {
      const decision = decisions[index]
      if (decision === undefined) {
        asked.waiting.resolve({ kind: 'unauthorized' })
        continue
      }
      const { organizationId, isBound } = decision
      if (asked.keyHash !== undefined && !this.#options.keys.has(asked.keyHash))
        this.#options.keys.set(asked.keyHash, { organizationId, isBound })
      try {
        this.#replyToOne(asked, decision, tallies.get(organizationId))
      } catch (error) {
        const tally = tallies.get(organizationId)
        if (decision.verdict === 'granted' && tally) this.#options.refunds.add(organizationId, tally.now)
        asked.waiting.reject(error)
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
    const answer = (answered: EvalOutcome) => {
      if (answered.kind === 'granted') onGranted?.(request.subscriberId, answered.entitlements)
      resolve(answered)
    }
    if (outcome !== null) answer(outcome)
    else
      large
        .answer({ request, features, decision, tally: tally as Tally })
        .then(answer)
        .catch(reject)
  }
}

function hasAll(catalog: Catalog, features: readonly string[] | null): boolean {
  return features === null || features.every((key) => catalog.has(key))
}
