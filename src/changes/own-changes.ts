import type pg from 'pg'
import type { TokenSubject } from '../access/subscriber-token.ts'
import { affectedSubscribers, writeBody } from '../events/event-body.ts'
import type { Change } from './load-changes.ts'

type OwnChangesOptions = {
  organizationId: string
  subscriberId: string
  /** Reads the key of the plan that the subscriber is on now. */
  readPlan(): Promise<string | null>
}

/**
 * The changes of an organization that one subscriber may see: its own changes as they are, changes of its plan and of the
 * catalog only as `entitlements.stale` without details, and no others. The plan is read with the follower's first page, and
 * again with each reset and each change of the subscription, before it is sent. So a change of a plan is left out only if the
 * subscriber was not on that plan, or will receive a change of its subscription.
 */
export class OwnChanges {
  readonly organizationId: string
  readonly subscriberId: string
  readonly #readPlan: OwnChangesOptions['readPlan']
  /** The key of the subscriber's plan, or null; undefined if it must be read before its next use. */
  #plan: string | null | undefined

  constructor({ organizationId, subscriberId, readPlan }: OwnChangesOptions) {
    this.organizationId = organizationId
    this.subscriberId = subscriberId
    this.#readPlan = readPlan
  }

  /** Returns the changes that the subscriber may see. Includes the changes of all plans while its plan is unknown. */
  filter(changes: readonly Change[]): readonly Change[] {
    const { bySubscriber, common } = groupChanges(changes)
    const own = bySubscriber.get(this.subscriberId) ?? noChanges
    const shared = common.filter(({ plan }) => plan === null || this.#plan === undefined || this.#plan === plan)
    return shared.length === 0 ? own : [...own, ...shared.map(({ change }) => change)]
  }

  /** Converts a page that was read for the subscriber. `plan` was read in the same statement. */
  convertPage(changes: readonly Change[], plan: string | null): Change[] {
    this.#plan = plan
    return this.#toVisibleChanges(changes)
  }

  /**
   * Filters and converts changes of a batch. After a reset, the plan is read again, because the reset may have undone a change
   * of the subscription.
   */
  async convertBatch({ changes, isReset }: { changes: readonly Change[]; isReset: boolean }): Promise<Change[]> {
    const own = groupChanges(changes).bySubscriber.get(this.subscriberId) ?? noChanges
    if (isReset || own.some(({ body }) => JSON.parse(body).cause === 'subscription')) this.#plan = undefined
    if (this.#plan === undefined) this.#plan = await this.#readPlan()
    return this.#toVisibleChanges(this.filter(changes))
  }

  #toVisibleChanges(changes: readonly Change[]): Change[] {
    const own = groupChanges(changes).bySubscriber.get(this.subscriberId) ?? noChanges
    return changes.map((change) => (own.includes(change) ? change : this.#withoutDetails(change)))
  }

  #withoutDetails(change: Change): Change {
    const { organizationId, subscriberId } = this
    const type = 'entitlements.stale'
    const occurredAt = new Date(JSON.parse(change.body).occurred_at)
    const event = { type, id: change.id, occurredAt, organizationId, subscriberId, cause: 'subscription' } as const
    return { ...change, type, body: writeBody(event) }
  }
}

/** Changes grouped by subscriber; `common` are the changes of plans, and of the catalog (`plan` is null). */
type GroupedChanges = { bySubscriber: Map<string, Change[]>; common: { change: Change; plan: string | null }[] }

const noChanges: readonly Change[] = []

/** The sorted changes of each batch, so that they are sorted only once for all followers of the organization. */
const groupedByBatch = new WeakMap<readonly Change[], GroupedChanges>()

function groupChanges(changes: readonly Change[]): GroupedChanges {
  const cached = groupedByBatch.get(changes)
  if (cached) return cached
  const bodies = new Map(changes.map((change) => [change, JSON.parse(change.body)]))
  const result: GroupedChanges = {
    bySubscriber: Map.groupBy(changes, (change) => bodies.get(change).subscriber_id),
    common: changes.flatMap((change) => {
      const affected = affectedSubscribers(change.type)
      if (affected === 'everybody') return { change, plan: null }
      return affected === 'plan' ? { change, plan: bodies.get(change).key } : []
    }),
  }
  groupedByBatch.set(changes, result)
  return result
}

/** The key of the subscriber's plan, or null. */
export async function findPlan(
  pool: pg.Pool,
  { organizationId, subscriberId }: Pick<TokenSubject, 'organizationId' | 'subscriberId'>,
): Promise<string | null> {
  const { rows } = await pool.query<{ plan: string }>({
    name: 'plan-of-subscriber',
    text: `select plan_key as plan from subscription
            where organization_id = $1 and subscriber_id = $2 and status = 'active'`,
    values: [organizationId, subscriberId],
  })
  return rows[0]?.plan ?? null
}
