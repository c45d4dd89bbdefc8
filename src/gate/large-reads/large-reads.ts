import type { Pool } from 'pg'
import { Overloaded } from '../../core/errors.ts'
import { FairShare } from '../../fairness/fair-share.ts'
import type { JudgedEval, Tally } from '../statement/judgement.ts'
import { type EvalContents, type EvalOutcome, type EvalRequest, toGrantedLater } from '../statement/outcome.ts'
import type { Refunds } from '../statement/refunds.ts'
import { Catalogs } from './catalogs.ts'
import { LargeOverrides } from './large-overrides.ts'

const megabyte = 1024 * 1024

/** Limits of the process for data that is read outside the gate's statement and kept until it is sent. */
const shareLimits = {
  maxRunning: 4,
  maxRunningLarge: 2,
  largeBytes: megabyte,
  maxBytes: 96 * megabyte,
  maxTenantBytes: 48 * megabyte,
  restFactor: 2,
}

export type LargeReadsOptions = {
  pool: Pool
  refunds: Refunds
  /** The maximum time that an eval waits here. */
  timeoutMs: number
  /** The maximum time for sending an answer. */
  answerTimeoutMs: number
  maxCatalogBytes: number
}

/** A granted eval whose catalog or overrides the statement did not return. */
export type UnansweredEval = {
  request: EvalRequest
  /** The features as they were sent to the statement. */
  features: readonly string[] | null
  judged: JudgedEval
  tally: Tally
}

/** Answers evals that are too large for the common statement, on other connections and in fair shares. */
export class LargeReads {
  readonly catalogs: Catalogs
  readonly #overrides: LargeOverrides
  readonly #refunds: Refunds
  readonly #timeoutMs: number
  readonly #share = new FairShare(shareLimits)

  constructor({ maxCatalogBytes, ...options }: LargeReadsOptions) {
    this.#refunds = options.refunds
    this.#timeoutMs = options.timeoutMs
    this.catalogs = new Catalogs({ ...options, share: this.#share, maxBytes: maxCatalogBytes })
    this.#overrides = new LargeOverrides({ ...options, share: this.#share })
  }

  /** Rejects when the data cannot be read in time; the eval then does not count. */
  async answer(unanswered: UnansweredEval): Promise<EvalOutcome> {
    const { request, judged, tally } = unanswered
    const { organizationId } = judged
    try {
      const contents = await this.#loadInTime(unanswered)
      const outcome = toGrantedLater(request, judged, tally, contents)
      if (outcome.kind !== 'granted') this.#refunds.add(organizationId, tally.now)
      return outcome
    } catch (error) {
      this.#refunds.add(organizationId, tally.now)
      throw error
    }
  }

  /** Lets running reads end; rejects waiting ones. */
  close(): Promise<void> {
    return this.#share.close()
  }

  /** However many turns and reads it takes. */
  async #loadInTime(unanswered: UnansweredEval): Promise<EvalContents> {
    const loading = this.#load(unanswered)
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      late.reject(new Overloaded('The catalog or the overrides could not be read in time. Try again in a moment.'))
      loading.then(
        ({ release }) => release?.(),
        () => {},
      )
    }, this.#timeoutMs)
    return Promise.race([loading, late.promise]).finally(() => clearTimeout(timer))
  }

  async #load({ request, features, judged, tally }: UnansweredEval): Promise<EvalContents> {
    const { organizationId, overrides, overrideBytes, planKey } = judged
    const { ownerId, catalogVersion: version, catalogBytes: bytes, now } = tally
    const held = this.catalogs.get(organizationId)
    const catalog =
      held?.version === version ? held : await this.catalogs.load(organizationId, { ownerId, version, bytes })
    const isLarge = features === null && catalog.isLarge(planKey)
    const releaseCatalog = isLarge ? this.catalogs.keep(ownerId, catalog) : () => {}
    if (overrides !== null) return { catalog, overrides, release: releaseCatalog }
    const { subscriberId } = request
    const asked = { ownerId, organizationId, subscriberId, features, now, bytes: overrideBytes }
    try {
      const loaded = await this.#overrides.load(asked)
      const releaseOverrides = loaded.hold.keep()
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
