import { createHash } from 'node:crypto'
import { loopSlices } from '../../fairness/loop-slices.ts'
import type { Catalog, RenderedPlan } from './catalog.ts'
import {
  type Entitlement,
  type ItemJson,
  isAllowed,
  nextStartOrEndOf,
  type OverrideInForce,
  resolve,
  toEntitlementJson,
} from './entitlement.ts'

/**
 * One subscriber's request and the data for its answer. Null `features` stands for the whole catalog; `overrides` are by
 * feature key.
 */
type EvalData = {
  catalog: Catalog
  planKey: string | null
  features: readonly string[] | null
  overrides: ReadonlyMap<string, OverrideInForce>
  now: Date
  organizationId: string
  /** A large answer uses this owner's share of the event loop. */
  ownerId: string
  /** Called once the answer's text is complete; releases the memory held for it. */
  release?: () => void
}

/** An answer whose values have more bytes than this is rendered in slices. */
const maxUnslicedBytes = 256 * 1024
/** The maximum length and number of items of a slice, which takes a few milliseconds at most. */
const sliceLength = 64 * 1024
const sliceItems = 500

/** The entitlements of one eval's answer, in the requested order (or newest feature first), as objects or as JSON text. */
export class ResolvedEntitlements {
  readonly #data: EvalData

  constructor(data: EvalData) {
    this.#data = data
  }

  get organizationId(): string {
    return this.#data.organizationId
  }

  /** The answer uses this owner's share of the process. */
  get ownerId(): string {
    return this.#data.ownerId
  }

  /** The database's time when the eval was counted. */
  get countedAt(): Date {
    return this.#data.now
  }

  /** The earliest future start or end of an override in the request, or null. */
  get validUntil(): Date | null {
    let earliest: Date | null = null
    for (const override of this.#data.overrides.values()) {
      const end = nextStartOrEndOf(override, this.#data.now)
      if (end !== null && (earliest === null || end < earliest)) earliest = end
    }
    return earliest
  }

  /** Whether the text is so long that it must be rendered in slices. */
  get isLarge(): boolean {
    const { catalog, planKey, features } = this.#data
    const isLargePlan = catalog.isLarge(planKey)
    if (features === null && isLargePlan) return true
    return this.#overrideBytes() > maxUnslicedBytes || (isLargePlan && this.#requestedValueBytes() > maxUnslicedBytes)
  }

  /** The number of entitlements. */
  get count(): number {
    const { catalog, features } = this.#data
    return features?.length ?? catalog.features.length
  }

  /** The approximate size of a snapshot as text. */
  get approximateBytes(): number {
    const { catalog, planKey } = this.#data
    return catalog.snapshotBytesOf(planKey) + this.#overrideBytes()
  }

  /** Calls `visit` with each requested feature and whether it is allowed; does nothing for a snapshot. */
  forEachRequested(visit: (feature: string, isAllowed: boolean) => void): void {
    const { catalog, planKey, features, overrides, now } = this.#data
    if (features === null) return
    for (const feature of features) {
      const grant = catalog.grantAt(planKey, this.#indexOf(feature))
      visit(feature, isAllowed(grant, overrides.get(feature) ?? null, now))
    }
  }

  toArray(): Entitlement[] {
    this.#data.release?.()
    return this.#toArray()
  }

  #toArray(): Entitlement[] {
    const { catalog, features } = this.#data
    if (features === null) return catalog.features.map((_, index) => this.#resolveAt(index))
    return features.map((key) => this.#resolveAt(this.#indexOf(key)))
  }

  /**
   * The items as JSON texts joined by commas: the whole body of a check, or the contents of a snapshot's list. `itemJson`
   * writes them in the format of another protocol.
   */
  toJson(itemJson: ItemJson = toEntitlementJson): string {
    const { features, release } = this.#data
    release?.()
    if (features === null) return this.#snapshotJson(itemJson)
    if (features.length === 1) return itemJson(this.#resolveAt(this.#indexOf(features[0] as string)))
    return this.#listJson(features, itemJson)
  }

  /**
   * A text that changes when the snapshot changes. It has the digest of the plan, which is computed once for all subscribers,
   * and the overridden items, or their hash if they have many bytes. That hash is computed in slices.
   */
  toDigest(): string | Promise<string> {
    const { catalog, planKey, overrides } = this.#data
    const digest = catalog.digestOf(planKey)
    if (overrides.size === 0) return digest
    if (this.isLarge) return this.#digestInSlices(digest)
    return (
      digest +
      this.#overriddenIndexes()
        .map((index) => toEntitlementJson(this.#resolveAt(index)))
        .join()
    )
  }

  /** Releases the memory of an answer that is not sent, because the caller already has it or needs none. */
  drop(): void {
    this.#data.release?.()
  }

  /** The text of `toJson` in slices, with a turn of the event loop before each. */
  async *toJsonSlices(itemJson: ItemJson = toEntitlementJson): AsyncGenerator<string> {
    const { features, ownerId, release } = this.#data
    const { count } = this
    try {
      for (let next = 0; next < count; ) {
        await loopSlices.next(ownerId)
        let slice = ''
        const end = Math.min(next + sliceItems, count)
        while (next < end && slice.length < sliceLength) {
          const index = features === null ? next : this.#indexOf(features[next] as string)
          slice += (next === 0 ? '' : ',') + itemJson(this.#resolveAt(index))
          next += 1
        }
        yield slice
      }
    } finally {
      release?.()
    }
  }

  #overrideBytes(): number {
    let bytes = 0
    for (const override of this.#data.overrides.values())
      bytes += override.kind === 'config' ? override.valueJson.length : 0
    return bytes
  }

  /** The bytes of the plan's values for the requested features. */
  #requestedValueBytes(): number {
    const { catalog, planKey, features } = this.#data
    if (features === null || features.length === 1) return 0
    let bytes = 0
    for (const key of features) {
      const grant = catalog.grantAt(planKey, this.#indexOf(key))
      if (grant?.kind === 'config') bytes += grant.valueJson.length
    }
    return bytes
  }

  /** The requested items, cut from the plan's rendered snapshot if the plan is not large. */
  #listJson(features: readonly string[], itemJson: ItemJson): string {
    const { catalog, planKey, overrides } = this.#data
    if (catalog.isLarge(planKey)) return this.#toArray().map(itemJson).join(',')
    const plan = catalog.render(planKey, itemJson)
    const items = features.map((key) => {
      const index = this.#indexOf(key)
      if (overrides.has(key)) return itemJson(this.#resolveAt(index))
      return plan.json.slice(startOf(plan, index), startOf(plan, index + 1) - 1)
    })
    return items.join(',')
  }

  /** The plan's rendered snapshot, with the overridden items replaced. */
  #snapshotJson(itemJson: ItemJson): string {
    const { catalog, planKey, overrides } = this.#data
    const plan = catalog.render(planKey, itemJson)
    if (overrides.size === 0) return plan.json
    let json = ''
    let next = 0
    for (const index of this.#overriddenIndexes()) {
      json += plan.json.slice(startOf(plan, next), startOf(plan, index))
      json += itemJson(this.#resolveAt(index))
      if (index + 1 < catalog.features.length) json += ','
      next = index + 1
    }
    return json + plan.json.slice(startOf(plan, next))
  }

  async #digestInSlices(plan: string): Promise<string> {
    const hash = createHash('sha256')
    let hashed = 0
    for (const index of this.#overriddenIndexes()) {
      const item = toEntitlementJson(this.#resolveAt(index))
      hash.update(item)
      hashed += item.length
      if (hashed < sliceLength) continue
      hashed = 0
      await loopSlices.next(this.#data.ownerId)
    }
    return plan + hash.digest('base64url')
  }

  /** The indexes of the overridden features, in the order of the catalog. */
  #overriddenIndexes(): number[] {
    return Array.from(this.#data.overrides.keys(), (key) => this.#indexOf(key)).sort((a, b) => a - b)
  }

  #resolveAt(index: number): Entitlement {
    const { catalog, planKey, overrides, now } = this.#data
    const feature = catalog.features[index]
    if (feature === undefined) throw new Error(`the catalog has no feature at ${index}`)
    return resolve(feature, catalog.grantAt(planKey, index), overrides.get(feature.key) ?? null, now)
  }

  #indexOf(key: string): number {
    const index = this.#data.catalog.indexOf(key)
    if (index === undefined) throw new Error(`the catalog has no feature ${key}`)
    return index
  }
}

function startOf(plan: RenderedPlan, index: number): number {
  return plan.starts[index] ?? plan.json.length
}
