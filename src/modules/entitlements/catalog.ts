import { type CatalogFeature, entitlementJson, type FeatureKind, type Grant, resolve } from './entitlement.ts'

/** The catalog as the gate's statement returns it: features newest first, and the grants of every plan. */
export type CatalogRows = {
  features: [key: string, kind: FeatureKind][]
  grants: [planKey: string, featureKey: string, limit: number | null, valueJson: string | null][]
}

/** A snapshot of a plan without overrides: the items joined by commas, and where each one begins. */
export type RenderedPlan = { json: string; starts: Uint32Array }

/** An entry of the arrays and strings below, roughly, in bytes. */
const featureBytes = 150
const grantBytes = 50

/**
 * One organization's features and plan grants at one version, read only.
 * Maps throughout: `__proto__` is a legal key of a feature and of a plan.
 */
export class Catalog {
  /** `organization.catalog_version`: no two versions of a catalog ever have the same. */
  readonly version: string
  /** Newest first. */
  readonly features: readonly CatalogFeature[]
  /** What it may take in memory once every plan is rendered, in bytes, roughly. */
  readonly weight: number
  readonly #indexes = new Map<string, number>()
  /** For each plan, a grant or null by the feature's index: an array takes a fifth of a Map. */
  readonly #grants = new Map<string, (Grant | null)[]>()
  readonly #rendered = new Map<string | null, RenderedPlan>()

  constructor(version: string, rows: CatalogRows) {
    this.version = version
    this.features = rows.features.map(([key, kind]) => ({ key, kind }))
    for (const [index, feature] of this.features.entries()) this.#indexes.set(feature.key, index)
    let valueBytes = 0
    for (const [planKey, featureKey, limit, valueJson] of rows.grants) {
      this.#add(planKey, featureKey, limit, valueJson)
      valueBytes += 2 * (valueJson?.length ?? 0)
    }
    this.weight =
      this.features.length * featureBytes * (this.#grants.size + 2) + rows.grants.length * grantBytes + valueBytes
  }

  has(featureKey: string): boolean {
    return this.#indexes.has(featureKey)
  }

  /** Place of the feature in `features`, or undefined when the catalog does not have it. */
  indexOf(featureKey: string): number | undefined {
    return this.#indexes.get(featureKey)
  }

  /** What the plan grants for the feature at `index`; a null plan grants nothing. */
  grantAt(planKey: string | null, index: number): Grant | null {
    if (planKey === null) return null
    return this.#grants.get(planKey)?.[index] ?? null
  }

  /** The plan's snapshot without overrides. Built at first use and kept: most subscribers have no override. */
  render(planKey: string | null): RenderedPlan {
    // A plan without grants and no plan at all look the same.
    const key = planKey !== null && this.#grants.has(planKey) ? planKey : null
    const known = this.#rendered.get(key)
    if (known !== undefined) return known
    const rendered = this.#renderPlan(key)
    this.#rendered.set(key, rendered)
    return rendered
  }

  #renderPlan(planKey: string | null): RenderedPlan {
    const starts = new Uint32Array(this.features.length + 1)
    const items = this.features.map((feature, index) =>
      entitlementJson(resolve(feature, this.grantAt(planKey, index), null, new Date(0))),
    )
    for (const [index, item] of items.entries()) starts[index + 1] = (starts[index] ?? 0) + item.length + 1
    return { json: items.join(','), starts }
  }

  #add(planKey: string, featureKey: string, limit: number | null, valueJson: string | null): void {
    const index = this.#indexes.get(featureKey)
    const feature = index === undefined ? undefined : this.features[index]
    if (index === undefined || feature === undefined)
      throw new Error(`a grant names ${featureKey}, which is no feature`)
    let grants = this.#grants.get(planKey)
    if (grants === undefined) {
      grants = new Array<Grant | null>(this.features.length).fill(null)
      this.#grants.set(planKey, grants)
    }
    grants[index] = toGrant(feature.kind, limit, valueJson)
  }
}

/** One object for all of them: half of a catalog's grants are flags. */
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
