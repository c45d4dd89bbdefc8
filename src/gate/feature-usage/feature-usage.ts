import type { Pool } from 'pg'
import { withDeadline } from '../../core/deadline.ts'
import type { ResolvedEntitlements } from '../resolution/resolved-entitlements.ts'
import { HeavyHitters } from './heavy-hitters.ts'
import { type FeatureDayCounts, storeFeatureUsage } from './store-feature-usage.ts'

const storeIntervalMs = 10_000
/** How long a stopping process waits for the database. */
const closeTimeoutMs = 2_000
/**
 * Limits between two writes, for one organization and for all. Beyond `maxFeatures`, further features are not counted. Beyond
 * `maxSketches` (see heavy-hitters.ts), denials are counted, but not by subscriber.
 */
const maxFeatures = { ofOne: 2_000, ofAll: 50_000 }
const maxSketches = { ofOne: 200, ofAll: 2_000 }

type Counts = { granted: number; denied: number; deniedTo: HeavyHitters | null }
type OrganizationCounts = { day: string; byFeature: Map<string, Counts>; sketches: number }

export type FeatureUsageOptions = {
  pool: Pool
  /** Called when counts could not be written; they are lost. */
  onLost?: ((error: unknown) => void) | undefined
  /** False while the database takes no writes. */
  mayStore?: () => boolean
  storeMs?: number
}

/**
 * Counts the answers of checks in memory, by feature and day, and adds them to the counts in the database every ten seconds,
 * without waiting for its disk: a crash may lose the last counts.
 */
export class FeatureUsage {
  readonly #options: FeatureUsageOptions
  readonly #counts = new Map<string, OrganizationCounts>()
  #features = 0
  #sketches = 0
  /** The counts of days that have ended. */
  #rowsOfEndedDays: FeatureDayCounts[] = []
  #timer: NodeJS.Timeout | undefined
  #storing: Promise<void> = Promise.resolve()

  constructor(options: FeatureUsageOptions) {
    this.#options = options
  }

  /** Counts the features of an answered check. Snapshots are not counted. */
  count(subscriberId: string, entitlements: ResolvedEntitlements): void {
    const { organizationId, countedAt } = entitlements
    let organization: OrganizationCounts | undefined
    entitlements.forEachRequested((feature, isAllowed) => {
      organization ??= this.#countsOf(organizationId, countedAt)
      const counts = organization.byFeature.get(feature) ?? this.#newCounts(organization, feature)
      if (counts === null) return
      if (isAllowed) {
        counts.granted += 1
        return
      }
      counts.denied += 1
      counts.deniedTo ??= this.#newSketch(organization)
      counts.deniedTo?.add(subscriberId)
    })
  }

  /** Writes the counts to the database. */
  store(): Promise<void> {
    this.#storing = this.#storing.then(() => this.#storeNow())
    return this.#storing
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await withDeadline(performance.now() + closeTimeoutMs, this.store()).catch(() => {})
  }

  #countsOf(organizationId: string, at: Date): OrganizationCounts {
    const known = this.#counts.get(organizationId)
    const day = dayOf(at)
    if (known?.day === day) return known
    if (known !== undefined) {
      this.#rowsOfEndedDays.push(...this.#takeRows(organizationId, known))
      known.day = day
      return known
    }
    const counts = { day, byFeature: new Map(), sketches: 0 }
    this.#counts.set(organizationId, counts)
    this.#schedule()
    return counts
  }

  #newCounts({ byFeature }: OrganizationCounts, feature: string): Counts | null {
    if (byFeature.size >= maxFeatures.ofOne || this.#features >= maxFeatures.ofAll) return null
    const counts = { granted: 0, denied: 0, deniedTo: null }
    byFeature.set(feature, counts)
    this.#features += 1
    return counts
  }

  #newSketch(organization: OrganizationCounts): HeavyHitters | null {
    if (organization.sketches >= maxSketches.ofOne || this.#sketches >= maxSketches.ofAll) return null
    organization.sketches += 1
    this.#sketches += 1
    return new HeavyHitters()
  }

  /** Returns the counts and resets them to zero; forgets features that were not checked since the last call. */
  #takeRows(organizationId: string, organization: OrganizationCounts): FeatureDayCounts[] {
    const { day, byFeature } = organization
    const rows: FeatureDayCounts[] = []
    for (const [feature, counts] of byFeature) {
      const { granted, denied, deniedTo } = counts
      if (granted + denied === 0) {
        byFeature.delete(feature)
        this.#features -= 1
        continue
      }
      rows.push({ organizationId, feature, day, granted, denied, deniedTo: deniedTo?.counts ?? null })
      Object.assign(counts, { granted: 0, denied: 0, deniedTo: null })
    }
    this.#sketches -= organization.sketches
    organization.sketches = 0
    return rows
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.store()
      if (this.#counts.size > 0) this.#schedule()
    }, this.#options.storeMs ?? storeIntervalMs).unref()
  }

  async #storeNow(): Promise<void> {
    const { pool, mayStore = () => true, onLost } = this.#options
    const rows = this.#rowsOfEndedDays
    this.#rowsOfEndedDays = []
    for (const [organizationId, counts] of this.#counts) {
      rows.push(...this.#takeRows(organizationId, counts))
      if (counts.byFeature.size === 0) this.#counts.delete(organizationId)
    }
    if (rows.length === 0 || !mayStore()) return
    try {
      await storeFeatureUsage(pool, rows)
    } catch (error) {
      onLost?.(error)
    }
  }
}

let lastDay = { number: 0, text: '1970-01-01' }

/** The UTC day as `YYYY-MM-DD`. Caches the last day's text, because most evals are counted on the same day. */
function dayOf(time: Date): string {
  const number = Math.floor(time.getTime() / 86_400_000)
  if (number !== lastDay.number) lastDay = { number, text: time.toISOString().slice(0, 10) }
  return lastDay.text
}
