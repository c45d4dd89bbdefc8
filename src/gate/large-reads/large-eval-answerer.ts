import { withDeadline } from '../../core/deadline.ts'
import { Overloaded } from '../../core/errors.ts'
import { FairQueue } from '../../fairness/fair-queue.ts'
import type { EvalDecision, Tally } from '../statement/eval-decisions.ts'
import {
  type EvalContents,
  type EvalOutcome,
  type RequestedEntitlements,
  resolveAfterRead,
} from '../statement/outcome.ts'
import type { Refunds } from '../statement/refunds.ts'
import { Catalogs } from './catalogs.ts'
import { LargeOverrides } from './large-overrides.ts'
import type { RunRead } from './run-read.ts'

const megabyte = 1024 * 1024

/** This process's limits on data that is read outside the gate's statement and kept until it is sent. */
const queueLimits = {
  atOnce: 4,
  atOnceOfOne: 1,
  restsAfterMs: 0,
  restFactor: 2,
  memory: { ofOne: 48 * megabyte, ofAll: 96 * megabyte, largeBytes: megabyte, largeAtOnce: 2 },
}

type LargeEvalAnswererOptions = {
  read: RunRead
  refunds: Refunds
  /** The maximum time that an eval waits for its large data. */
  timeoutMs: number
  /** The maximum time for sending an answer. */
  answerTimeoutMs: number
  maxCatalogBytes: number
}

/** A granted eval that `BatchAnswerer` could not answer at once. */
type UnansweredEval = {
  request: RequestedEntitlements
  /** The features as sent to the statement. */
  features: readonly string[] | null
  decision: EvalDecision
  tally: Tally
}

/**
 * Answers evals whose data is too large for the gate's statement: reads it over other connections, which owners share fairly.
 */
export class LargeEvalAnswerer {
  readonly catalogs: Catalogs
  readonly #overrides: LargeOverrides
  readonly #refunds: Refunds
  readonly #timeoutMs: number
  readonly #queue = new FairQueue(queueLimits)

  constructor({ maxCatalogBytes, ...options }: LargeEvalAnswererOptions) {
    this.#refunds = options.refunds
    this.#timeoutMs = options.timeoutMs
    this.catalogs = new Catalogs({ ...options, queue: this.#queue, maxBytes: maxCatalogBytes })
    this.#overrides = new LargeOverrides({ ...options, queue: this.#queue })
  }

  /** Rejects if the data cannot be read in time; the eval then does not count. */
  async answer(unanswered: UnansweredEval): Promise<EvalOutcome> {
    const { request, decision, tally } = unanswered
    const { organizationId } = decision
    try {
      const contents = await this.#loadInTime(unanswered)
      const outcome = resolveAfterRead(request, decision, tally, contents)
      if (outcome.kind !== 'granted') this.#refunds.add(organizationId, tally.now)
      return outcome
    } catch (error) {
      this.#refunds.add(organizationId, tally.now)
      throw error
    }
  }

  /** Lets running reads end; rejects waiting ones. */
  close(): Promise<void> {
    return this.#queue.close()
  }

  /** Loads the data of the eval. All its waits and reads share one deadline. */
  #loadInTime(unanswered: UnansweredEval): Promise<EvalContents> {
    const loading = this.#load(unanswered)
    return withDeadline(performance.now() + this.#timeoutMs, loading, () => {
      loading.then(
        ({ release }) => release?.(),
        () => {},
      )
      return new Overloaded(
        'waited_too_long',
        'The catalog or the overrides could not be read in time. Try again in a moment.',
      )
    })
  }

  async #load({ request, features, decision, tally }: UnansweredEval): Promise<EvalContents> {
    const { organizationId, overrides, overrideBytes, planKey } = decision
    const { ownerId, catalogVersion: version, catalogBytes: bytes, now } = tally
    const cached = this.catalogs.get(organizationId)
    const catalog =
      cached?.version === version ? cached : await this.catalogs.load(organizationId, { ownerId, version, bytes })
    const isLarge = features === null && catalog.isLarge(planKey)
    const releaseCatalog = isLarge ? this.catalogs.keep(ownerId, catalog) : () => {}
    if (overrides !== null) return { catalog, overrides, release: releaseCatalog }
    const { subscriberId } = request
    const requestedOverrides = { ownerId, organizationId, subscriberId, features, now, bytes: overrideBytes }
    try {
      const loaded = await this.#overrides.load(requestedOverrides)
      const releaseOverrides = loaded.reservation.keep()
      const release = () => {
        releaseCatalog()
        releaseOverrides()
      }
      return { catalog, overrides: loaded.overrides, release }
    } catch (error) {
      releaseCatalog()
      throw error
    }
  }
}
