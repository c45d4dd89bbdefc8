import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { Pace } from '../src/fairness/pace.ts'
import type { Metrics } from '../src/metrics/metrics.ts'
import { type SignedHead, toHeadFields } from '../src/recording/chain/head.ts'
import { type ChainingResult, type ChainOptions, chainBatch, findOrganizationsToChain } from './jobs/chain-audit.ts'
import { repeat } from './repeat.ts'

/** How often the worker looks for entries that are not chained. */
const chainEveryMs = 3_000
/** How often the worker also looks for entries older than an hour: a pending one may have lost its outcome. */
const oldEveryMs = 60_000
/** After this time the worker looks for organizations again, even if some still have entries to chain. */
const maxPassMs = 5_000
/** Limits of a batch. While a batch waits for locks, writes continue. */
const batches = { batchMs: 25, minRows: 200, maxRows: 1000, restRatio: 2 }
const batchBytes = 4 * 1024 * 1024
/** The number of organizations whose entries are chained in one transaction, with a single wait for the disk. */
const organizationsInBatch = 20
const organizationsInPass = 1000
/** How often heads are logged. */
const logEveryMs = 60_000
const headsInLine = 100
const linesAtOnce = 5
const maxHeads = 10_000

type Options = ChainOptions & {
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  metrics: Pick<Metrics, 'auditChainsStuck'>
}

/** Adds entries to the chains of their organizations after the writes have committed. Any number of workers may do this. */
export function startChaining(options: Options): { stop(): Promise<void> } {
  const { logger, metrics } = options
  const heads = new HeadLog(logger)
  const warnedOrganizations = new LRUCache<string, true>({ max: maxHeads, ttl: 3_600_000 })
  /** Chains that cannot be extended. A chain with new entries is tried every few seconds, which keeps it in this map. */
  const stuckChains = new LRUCache<string, true>({ max: maxHeads, ttl: 300_000 })
  metrics.auditChainsStuck.addSource(() => {
    stuckChains.purgeStale()
    return [{ value: stuckChains.size }]
  })
  let after = ''
  let oldCheckedAt = Number.NEGATIVE_INFINITY

  function handleResult({ organizationId, head, isForeign }: ChainingResult): void {
    if (head) heads.add(head)
    if (isForeign) stuckChains.set(organizationId, true)
    else stuckChains.delete(organizationId)
    if (!isForeign || warnedOrganizations.has(organizationId)) return
    warnedOrganizations.set(organizationId, true)
    logger.error(
      { organizationId },
      'the chain of an audit log was changed in the database: its head is not signed with our key, so nothing is added to it',
    )
  }

  const loop = repeat({ everyMs: chainEveryMs, what: 'chaining the audit log', logger }, async (signal) => {
    const pace = new Pace({ ...batches, signal })
    const withOld = performance.now() > oldCheckedAt + oldEveryMs
    let waiting = await findOrganizationsToChain(options, { after, limit: organizationsInPass, withOld })
    after = waiting.length < organizationsInPass ? '' : (waiting.at(-1) as string)
    const endsAt = performance.now() + maxPassMs
    // One batch of each organization in turn, so that an organization with many entries does not delay the others.
    while (waiting.length > 0 && performance.now() < endsAt) {
      const withMore: string[] = []
      for (let from = 0; from < waiting.length && !pace.isEnded; from += organizationsInBatch) {
        const organizationIds = waiting.slice(from, from + organizationsInBatch)
        const { taken } = await pace.batch(async (atMost) => {
          const { length } = organizationIds
          const size = { rows: Math.ceil(atMost / length), bytes: Math.ceil(batchBytes / length) }
          const parts = await chainBatch(options, organizationIds, size)
          return parts.flatMap((part) => [part, ...Array<null>(Math.max(0, part.rows - 1)).fill(null)])
        })
        const parts = taken.filter((part) => part !== null)
        parts.forEach(handleResult)
        withMore.push(...parts.filter(({ isFull }) => isFull).map(({ organizationId }) => organizationId))
      }
      if (pace.isEnded) break
      waiting = withMore
    }
    if (withOld && after === '' && waiting.length === 0) oldCheckedAt = performance.now()
    heads.logDue()
  })
  return {
    async stop() {
      await loop.stop()
      heads.log()
    },
  }
}

/**
 * Logs the newest heads, because somebody who can change the database cannot change these lines. Writes at most five lines a
 * minute, each with up to 100 heads.
 */
class HeadLog {
  readonly #logger: Pick<Logger, 'info'>
  readonly #waiting = new LRUCache<string, SignedHead>({ max: maxHeads })
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(logger: Pick<Logger, 'info'>) {
    this.#logger = logger
  }

  add(head: SignedHead): void {
    this.#waiting.set(head.organizationId, head)
  }

  logDue(): void {
    if (performance.now() - this.#loggedAt >= logEveryMs) this.log()
  }

  /** Logs the heads that were added first, as many as the lines hold; newer heads wait for the next minute. */
  log(): void {
    const heads = [...this.#waiting.values()].toReversed().slice(0, linesAtOnce * headsInLine)
    if (heads.length === 0) return
    this.#loggedAt = performance.now()
    for (const { organizationId } of heads) this.#waiting.delete(organizationId)
    for (let from = 0; from < heads.length; from += headsInLine) {
      const fields = heads.slice(from, from + headsInLine).map(toHeadFields)
      this.#logger.info({ heads: fields }, 'the heads of audit logs')
    }
  }
}
