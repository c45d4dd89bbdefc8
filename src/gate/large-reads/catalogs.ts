import { Overloaded } from '../../core/errors.ts'
import type { FairQueue } from '../../fairness/fair-queue.ts'
import { MemoryReservation } from '../../fairness/memory-reservation.ts'
import type { Catalog } from '../resolution/catalog.ts'
import { type CatalogStore, createCatalogStore } from './catalog-store.ts'
import { loadCatalog } from './load-catalog.ts'
import type { RunRead } from './run-read.ts'

type CatalogsOptions = {
  read: RunRead
  queue: FairQueue
  /** The maximum time that a read waits in the queue. */
  timeoutMs: number
  /** The maximum time for sending an answer. */
  answerTimeoutMs: number
  /** Approximate memory limit. Large catalogs have a second store of the same size, so that they never displace small ones. */
  maxBytes: number
}

/** A catalog above this size is large. */
const largeBytes = 1024 * 1024
/** The time limit of a read: longer than an eval waits, so that a later eval finds the catalog in memory. */
const readTimeoutMs = 15_000
/** In memory a catalog takes about twice its bytes in the database. */
const memoryFactor = 2

/** The read uses the owner's share. `bytes` is the catalog's size in the database. */
type CatalogReadCost = { ownerId: string; bytes: number }

type CatalogRead = { isStarted: boolean; promise: Promise<Catalog> }

/** The catalogs in this process's memory. A missing catalog is read once for all evals that wait for it. */
export class Catalogs {
  readonly #options: CatalogsOptions
  readonly #small: CatalogStore
  readonly #large: CatalogStore
  /** The unfinished reads of each organization: at most one running, and one waiting behind it. */
  readonly #unfinishedReads = new Map<string, CatalogRead[]>()
  readonly #reservations = new WeakMap<Catalog, MemoryReservation>()

  constructor(options: CatalogsOptions) {
    this.#options = options
    this.#small = createCatalogStore(options.maxBytes)
    this.#large = createCatalogStore(options.maxBytes)
  }

  /** Counts a large catalog's memory until the answer that uses it is sent. Returns the function that releases it. */
  keep(ownerId: string, catalog: Catalog): () => void {
    const { queue, answerTimeoutMs } = this.#options
    if (catalog.weight <= largeBytes) return () => {}
    let reservation = this.#reservations.get(catalog)
    if (reservation === undefined || reservation.isReleased) {
      reservation = new MemoryReservation(queue, ownerId, { bytes: catalog.weight, maxMs: answerTimeoutMs })
      this.#reservations.set(catalog, reservation)
    }
    return reservation.keep()
  }

  get(organizationId: string): Catalog | undefined {
    return this.#small.get(organizationId) ?? this.#large.get(organizationId)
  }

  /**
   * Loads the catalog at `version` or later. `version` was current before this call, so any read that begins now returns it or
   * a later one. A read that is already running may return an earlier one, and is used only if it returns exactly `version`.
   */
  async load(
    organizationId: string,
    { version, ...needed }: { version: string; ownerId: string; bytes: number },
  ): Promise<Catalog> {
    const unfinishedReads = this.#unfinishedReads.get(organizationId) ?? []
    const running = unfinishedReads.find(({ isStarted }) => isStarted)
    const waiting = unfinishedReads.find(({ isStarted }) => !isStarted)
    if (running !== undefined && waiting === undefined) {
      const catalog = await running.promise.catch(() => null)
      if (catalog?.version === version) return catalog
      return this.#joinNext(organizationId, needed)
    }
    return (waiting ?? this.#begin(organizationId, needed)).promise
  }

  #joinNext(organizationId: string, needed: CatalogReadCost): Promise<Catalog> {
    const waiting = this.#unfinishedReads.get(organizationId)?.find(({ isStarted }) => !isStarted)
    return (waiting ?? this.#begin(organizationId, needed)).promise
  }

  #begin(organizationId: string, { ownerId, bytes }: CatalogReadCost): CatalogRead {
    const { queue, timeoutMs } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<Catalog>()
    const catalogRead: CatalogRead = { isStarted: false, promise }
    const timer = setTimeout(() => giveUp(), timeoutMs)
    const giveUp = () => {
      this.#forget(organizationId, catalogRead)
      reject(new Overloaded('waited_too_long', 'The catalog could not be read in time. Try again in a moment.'))
    }
    this.#unfinishedReads.set(organizationId, [...(this.#unfinishedReads.get(organizationId) ?? []), catalogRead])
    const read = async () => {
      // `giveUp` was called: no eval waits for this read any more.
      if (!this.#unfinishedReads.get(organizationId)?.includes(catalogRead)) return
      clearTimeout(timer)
      catalogRead.isStarted = true
      await this.#read({ organizationId, ownerId }).then(resolve, reject)
      this.#forget(organizationId, catalogRead)
    }
    queue.run({ owner: ownerId, part: organizationId }, read, bytes * memoryFactor).catch(giveUp)
    return catalogRead
  }

  async #read({ organizationId, ownerId }: { organizationId: string; ownerId: string }): Promise<Catalog> {
    const catalog = await this.#options.read((pool) => loadCatalog(pool, { organizationId, ownerId }, readTimeoutMs))
    this.#small.delete(organizationId)
    this.#large.delete(organizationId)
    const store = catalog.weight > largeBytes ? this.#large : this.#small
    store.set(organizationId, catalog)
    return catalog
  }

  #forget(organizationId: string, catalogRead: CatalogRead): void {
    const left = (this.#unfinishedReads.get(organizationId) ?? []).filter((other) => other !== catalogRead)
    if (left.length > 0) this.#unfinishedReads.set(organizationId, left)
    else this.#unfinishedReads.delete(organizationId)
  }
}
