import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { FeatureKind } from '../../database/generated/enums.ts'
import { type CatalogFeature, type Grant, type ItemJson, resolve, toEntitlementJson } from './entitlement.ts'

/** A plan's snapshot without overrides: its items joined by commas, the start of each item, and a hash of the text. */
export type RenderedPlan = { json: string; starts: Uint32Array; digest: string }

/** The approximate memory for a feature and for a grant, in bytes. */
const featureBytes = 150
const grantBytes = 50
/** The approximate size of one feature's item in an answer, without the value, in bytes. */
const itemBytes = 120
/** A larger snapshot of a plan is not rendered as one text, because that would block the event loop. */
const maxRenderedBytes = 256 * 1024
/** The limit for all rendered plans of a catalog together. */
const maxAllRenderedBytes = 4 * 1024 * 1024
/** Rendered plans for other protocols. All catalogs share this cache, because few organizations use another protocol. */
const plansInOtherProtocols = new LRUCache<string, RenderedPlan>({
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: ({ json, starts }) => json.length + starts.byteLength,
})
let catalogCount = 0

/** The maximum number of features for arrays of grants: in a larger catalog, most plans grant only a few of the features. */
const maxDenseFeatures = 1000

/**
 * A plan's grants by the feature's index, in an array or a Map. If most features are granted, an array takes a fifth of a Map's
 * memory.
 */
type PlanGrants = { dense: (Grant | null)[] | null; sparse: Map<number, Grant>; valueBytes: number }

/**
 * One organization's features and plan grants at one version. Grants are added while the catalog loads; then it never changes.
 * Uses Maps, not objects, because `__proto__` is a valid key of a feature and of a plan.
 */
export class Catalog {
  /** `organization.catalog_version`: no two versions of a catalog ever have the same value. */
  readonly version: string
  /** Newest first. */
  readonly features: readonly CatalogFeature[]
  readonly #number = catalogCount++
  readonly #indexes = new Map<string, number>()
  readonly #plans = new Map<string, PlanGrants>()
  readonly #rendered = new Map<string | null, RenderedPlan>()
  #renderedBytes = 0
  #grantCount = 0
  #valueBytes = 0

  /** `features` must be ordered newest first. */
  constructor(version: string, features: readonly CatalogFeature[]) {
    this.version = version
    this.features = features
    for (const [index, feature] of features.entries()) this.#indexes.set(feature.key, index)
  }

  /** The approximate memory of the catalog, including its rendered plans, in bytes. */
  get weight(): number {
    const { length } = this.features
    const denseBytes = length <= maxDenseFeatures ? length * this.#plans.size * 8 : 0
    const rendered = Math.min(length * featureBytes * (this.#plans.size + 1), maxAllRenderedBytes)
    return length * featureBytes + denseBytes + rendered + this.#grantCount * grantBytes + 2 * this.#valueBytes
  }

  has(featureKey: string): boolean {
    return this.#indexes.has(featureKey)
  }

  /** The feature's index in `features`, or undefined when the catalog does not have it. */
  indexOf(featureKey: string): number | undefined {
    return this.#indexes.get(featureKey)
  }

  /** The plan's grant for the feature at `index`; a null plan grants nothing. */
  grantAt(planKey: string | null, index: number): Grant | null {
    if (planKey === null) return null
    const grants = this.#plans.get(planKey)
    if (grants === undefined) return null
    return (grants.dense === null ? grants.sparse.get(index) : grants.dense[index]) ?? null
  }

  /** The approximate size of a snapshot of the plan. */
  snapshotBytesOf(planKey: string | null): number {
    const valueBytes = planKey === null ? 0 : (this.#plans.get(planKey)?.valueBytes ?? 0)
    return this.features.length * itemBytes + valueBytes
  }

  /** Whether a snapshot of the plan is too large to be rendered as one text. */
  isLarge(planKey: string | null): boolean {
    return this.snapshotBytesOf(planKey) > maxRenderedBytes
  }

  /** Renders the snapshot, without overrides, of a plan that is not large. Caches it: most subscribers have no override. */
  render(planKey: string | null, itemJson: ItemJson = toEntitlementJson): RenderedPlan {
    // A plan without grants and no plan at all give the same snapshot.
    const key = planKey !== null && this.#plans.has(planKey) ? planKey : null
    if (itemJson !== toEntitlementJson) return this.#renderForeign(key, itemJson)
    const known = this.#rendered.get(key)
    if (known !== undefined) return known
    const rendered = this.#renderPlan(key, itemJson)
    this.#renderedBytes += rendered.json.length
    if (this.#renderedBytes > maxAllRenderedBytes) {
      this.#rendered.clear()
      this.#renderedBytes = rendered.json.length
    }
    this.#rendered.set(key, rendered)
    return rendered
  }

  /** A text that changes when the plan's snapshot without overrides changes; for a large plan, whenever the catalog changes. */
  digestOf(planKey: string | null): string {
    return this.isLarge(planKey) ? this.version : this.render(planKey).digest
  }

  /** Adds a grant. Called while the catalog is loaded, at most once for each plan and feature. */
  add(planKey: string, featureKey: string, limit: number | null, valueJson: string | null): void {
    const index = this.#indexes.get(featureKey)
    const feature = index === undefined ? undefined : this.features[index]
    if (index === undefined || feature === undefined)
      throw new Error(`a grant names ${featureKey}, which is not a feature`)
    const grants = this.#grantsOf(planKey)
    const grant = toGrant(feature.kind, limit, valueJson)
    if (grants.dense === null) grants.sparse.set(index, grant)
    else grants.dense[index] = grant
    grants.valueBytes += valueJson?.length ?? 0
    this.#valueBytes += valueJson?.length ?? 0
    this.#grantCount += 1
  }

  #grantsOf(planKey: string): PlanGrants {
    let grants = this.#plans.get(planKey)
    if (grants === undefined) {
      const { length } = this.features
      const dense = length <= maxDenseFeatures ? new Array<Grant | null>(length).fill(null) : null
      grants = { dense, sparse: new Map(), valueBytes: 0 }
      this.#plans.set(planKey, grants)
    }
    return grants
  }

  #renderForeign(planKey: string | null, itemJson: ItemJson): RenderedPlan {
    const name = `${itemJson.name} ${this.#number} ${planKey ?? ''}`
    const known = plansInOtherProtocols.get(name)
    if (known !== undefined) return known
    const rendered = this.#renderPlan(planKey, itemJson)
    plansInOtherProtocols.set(name, rendered)
    return rendered
  }

  #renderPlan(planKey: string | null, itemJson: ItemJson): RenderedPlan {
    const starts = new Uint32Array(this.features.length + 1)
    const items = this.features.map((feature, index) =>
      itemJson(resolve(feature, this.grantAt(planKey, index), null, new Date(0))),
    )
    for (const [index, item] of items.entries()) starts[index + 1] = (starts[index] ?? 0) + item.length + 1
    const json = items.join(',')
    return { json, starts, digest: hash('sha256', json, 'base64url') }
  }
}

/** One object for all flag grants, because half of a catalog's grants are flags. */
const flagGrant: Grant = { kind: 'flag' }

function toGrant(kind: FeatureKind, limit: number | null, valueJson: string | null): Grant {
  switch (kind) {
    case 'flag':
      return flagGrant
    case 'limit':
      return { kind, limit }
    case 'config':
      if (valueJson === null) throw new Error('a config grant has no value')
      return { kind, valueJson }
  }
}
