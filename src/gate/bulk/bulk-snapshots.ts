import { unavailable } from '../../core/errors.ts'
import { FairQueue, type Share } from '../../fairness/fair-queue.ts'
import type { LargeEvalAnswerer } from '../large-reads/large-eval-answerer.ts'
import type { ResolvedEntitlements } from '../resolution/resolved-entitlements.ts'
import { quoteElement, toStorableId } from '../statement/array-text.ts'
import { type EvalDecision, readDecisions, type Tally } from '../statement/eval-decisions.ts'
import type { GateConnection, SendMode } from '../statement/gate-connection.ts'
import { slotOf } from '../statement/gate-statement.ts'
import type { MemoryLimits } from '../statement/memory-limits.ts'
import { resolveFromMemory } from '../statement/outcome.ts'
import type { Refunds } from '../statement/refunds.ts'
import type { BulkTexts } from './bulk-text.ts'

export type BulkRequest = {
  organizationId: string
  /** The request uses this owner's share of the process. */
  share: Share
  /** Distinct ids. */
  subscriberIds: readonly string[]
  /**
   * Called with each snapshot, in the requested order. Returns false if the snapshot does not fit; it is then left out, and so
   * are all later ones.
   */
  take(subscriberId: string, snapshot: { plan: string | null; entitlements: ResolvedEntitlements }): Promise<boolean>
}

/** Ids are in the requested order; the snapshots of `leftOut` did not fit. `answered` counts the snapshots that were taken. */
export type BulkOutcome =
  | { kind: 'exhausted'; allotment: number }
  | { kind: 'granted'; answered: number; unknown: string[]; leftOut: string[] }

type BulkOptions = {
  /** A separate connection, because single evals would wait behind the statements of large bulk requests. */
  connection: GateConnection
  large: LargeEvalAnswerer
  refunds: Refunds
  /** Counts evals while the database takes no writes. */
  memory: MemoryLimits
  defaults: { texts: BulkTexts; monthlyAllotment: number | null; lockTimeoutMs: number }
  onCatalogRead?: ((isHit: boolean) => void) | undefined
}

/** Each request may hold snapshots of `MAX_ANSWER_BYTES` in memory until it is answered. */
const queueLimits = {
  atOnce: 4,
  atOnceOfOne: 1,
  waiting: 2_000,
  waitingOfOne: 500,
  maxWaitMs: 10_000,
}

/** How many bytes of large overrides to read ahead, so that one statement reads the overrides of several subscribers. */
const maxReadAheadBytes = 1024 * 1024

/** The request for each subscriber: null stands for all features. */
const wholeCatalog = { features: null }

/** Answers the snapshots of many subscribers with one statement, which counts them, and further statements for large data. */
export class BulkSnapshots {
  readonly #options: BulkOptions
  readonly #queue = new FairQueue(queueLimits)
  /** The last statement. The next one begins when this promise settles, so that only one runs at a time. */
  #lastQuery: Promise<unknown> = Promise.resolve()

  constructor(options: BulkOptions) {
    this.#options = options
  }

  answer(request: BulkRequest): Promise<BulkOutcome> {
    return this.#queue.run(request.share, () => this.#answer(request))
  }

  async close(): Promise<void> {
    await this.#queue.close()
    this.#options.connection.release()
  }

  async #answer(request: BulkRequest): Promise<BulkOutcome> {
    const { organizationId, subscriberIds, take } = request
    const { rows, isCounted } = await this.#query(request)
    const { decisions, tallies } = readDecisions(
      rows,
      subscriberIds.map(() => wholeCatalog),
      isCounted ? null : this.#options.memory,
    )
    const tally = tallies.get(organizationId)
    // The organization had a counter row when the key was checked, but has none now.
    if (!tally) throw unavailable('The organization is being deleted or moved. Try again in a moment.')
    const granted = decisions.flatMap((each, index) => (each?.verdict === 'granted' ? [{ decision: each, index }] : []))
    const refund = (evals: number) => this.#options.refunds.add(organizationId, tally.now, evals)
    if (decisions.some((each) => each?.verdict === 'exhausted')) {
      refund(granted.length)
      return { kind: 'exhausted', allotment: tally.allotment ?? 0 }
    }

    const [unknown, left]: [string[], string[]] = [[], []]
    const reads = new Map<number, Promise<ResolvedEntitlements>>()
    const readAhead = (from: number) => {
      let bytes = 0
      for (const { decision, index } of granted.slice(from)) {
        if (bytes > 0 && bytes + decision.overrideBytes > maxReadAheadBytes) return
        bytes += decision.overrideBytes
        if (reads.has(index)) continue
        const read = this.#resolve(subscriberIds[index] as string, decision, tally)
        read.catch(() => {})
        reads.set(index, read)
      }
    }
    let answered = 0
    try {
      for (const [index, subscriberId] of subscriberIds.entries()) {
        if (decisions[index]?.verdict !== 'granted') unknown.push(subscriberId)
        else if (left.length > 0) left.push(subscriberId)
        else {
          readAhead(answered)
          const entitlements = await (reads.get(index) as Promise<ResolvedEntitlements>)
          reads.delete(index)
          const { planKey: plan } = decisions[index]
          if (await take(subscriberId, { plan, entitlements })) answered += 1
          else left.push(subscriberId)
        }
      }
      refund(left.length - (await dropUnused(reads)))
    } catch (error) {
      // `LargeEvalAnswerer` has already refunded the evals whose data it could not read.
      refund(granted.length - (await dropUnused(reads)))
      throw error
    }
    return { kind: 'granted', answered, unknown, leftOut: left }
  }

  #query({ organizationId, subscriberIds }: BulkRequest) {
    const { connection, refunds, defaults } = this.#options
    const ids = `{${subscriberIds.map((id) => quoteElement(toStorableId(id))).join()}}`
    const values = [organizationId, ids, defaults.monthlyAllotment, `${defaults.lockTimeoutMs}ms`]
    const toStatement = ({ batchId, counts }: SendMode) => ({
      name: counts ? 'eval-bulk' : 'eval-bulk-read',
      text: counts ? defaults.texts.counting : defaults.texts.reading,
      values: [...values, ...(batchId ? [batchId.gateId, slotOf(batchId), batchId.number] : [null, null, null])],
    })
    const query = this.#lastQuery.then(() => connection.query(toStatement, (batchId) => refunds.addLost(batchId)))
    this.#lastQuery = query.catch(() => {})
    return query
  }

  async #resolve(subscriberId: string, decision: EvalDecision, tally: Tally): Promise<ResolvedEntitlements> {
    const { large, onCatalogRead } = this.#options
    const request = { subscriberId, features: null }
    const catalog = large.catalogs.get(decision.organizationId)
    const outcome =
      resolveFromMemory(request, decision, tally, { catalog, onCatalogRead }) ??
      (await large.answer({ request, features: null, decision, tally }))
    if (outcome.kind !== 'granted') throw new Error(`a snapshot was ${outcome.kind} after it was granted`)
    return outcome.entitlements
  }
}

/** Releases data that is not needed after all. Resolves to the number of failed reads. */
async function dropUnused(reads: ReadonlyMap<number, Promise<ResolvedEntitlements>>): Promise<number> {
  const settled = await Promise.allSettled(reads.values())
  for (const each of settled) if (each.status === 'fulfilled') each.value.drop()
  return settled.filter(({ status }) => status === 'rejected').length
}
