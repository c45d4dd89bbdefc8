import type pg from 'pg'
import type { TokenSubject } from '../access/subscriber-token.ts'
import { affectedSubscribers, writeBody } from '../events/event-body.ts'
import type { Change } from './read-changes.ts'

type OwnChangesOptions = {
  organizationId: string
  subscriberId: string
  /** Reads the key of the plan that the subscriber is on now. */
  readPlan(): Promise<string | null>
}

/**
 * The changes that one subscriber may see of its organization: its own unchanged; changes of its plan and of the catalog as
 * "your entitlements are stale", without details; nothing else. The plan is read with the page with which a follower begins,
 * and again with each own change of the subscription, before that change is given out. So if the subscriber is not on a plan
 * that changed, it either was not, or will get a change of its own.
 */
export class OwnChanges {
  readonly organizationId: string
  readonly subscriberId: string
  readonly #readPlan: OwnChangesOptions['readPlan']
  /** Undefined until it is needed. */
  #plan: string | null | undefined

  constructor({ organizationId, subscriberId, readPlan }: OwnChangesOptions) {
    this.organizationId = organizationId
    this.subscriberId = subscriberId
    this.#readPlan = readPlan
  }

  /** The changes that the subscriber may see among an organization's changes, as far as its plan is known. */
  among(changes: readonly Change[]): readonly Change[] {
    const { bySubscriber, common } = sortedOf(changes)
    const own = bySubscriber.get(this.subscriberId) ?? noChanges
    const shared = common.filter(({ plan }) => plan === null || this.#plan === undefined || this.#plan === plan)
    return shared.length === 0 ? own : [...own, ...shared.map(({ change }) => change)]
  }

  /** The changes that the subscriber sees of a page that was read for it. `plan` is that of the snapshot that was read. */
  ofPage(changes: readonly Change[], plan: string | null): Change[] {
    this.#plan = plan
    return this.#toVisibleChanges(changes)
  }

  /** The changes that the subscriber sees of those that arrived while it followed. */
  async ofLive(changes: readonly Change[]): Promise<Change[]> {
    const own = sortedOf(changes).bySubscriber.get(this.subscriberId) ?? noChanges
    if (own.some(({ body }) => JSON.parse(body).cause === 'subscription')) this.#plan = undefined
    if (this.#plan === undefined) this.#plan = await this.#readPlan()
    return this.#toVisibleChanges(this.among(changes))
  }

  #toVisibleChanges(changes: readonly Change[]): Change[] {
    const own = sortedOf(changes).bySubscriber.get(this.subscriberId) ?? noChanges
    return changes.map((change) => (own.includes(change) ? change : this.#withoutCause(change)))
  }

  #withoutCause(change: Change): Change {
    const { organizationId, subscriberId } = this
    const type = 'entitlements.stale'
    const occurredAt = new Date(JSON.parse(change.body).occurred_at)
    const facts = { type, id: change.id, occurredAt, organizationId, subscriberId, cause: 'subscription' } as const
    return { ...change, type, body: writeBody(facts) }
  }
}

/** Changes grouped by subscriber. `common` are the changes of the catalog, and of a plan. */
type SortedChanges = { bySubscriber: Map<string, Change[]>; common: { change: Change; plan: string | null }[] }

const noChanges: readonly Change[] = []

/** A batch is offered to all followers of the organization, and sorted once. */
const sortedByBatch = new WeakMap<readonly Change[], SortedChanges>()

function sortedOf(changes: readonly Change[]): SortedChanges {
  const known = sortedByBatch.get(changes)
  if (known) return known
  const bodies = new Map(changes.map((change) => [change, JSON.parse(change.body)]))
  const result: SortedChanges = {
    bySubscriber: Map.groupBy(changes, (change) => bodies.get(change).subscriber_id),
    common: changes.flatMap((change) => {
      const affected = affectedSubscribers(change.type)
      if (affected === 'everybody') return { change, plan: null }
      return affected === 'plan' ? { change, plan: bodies.get(change).key } : []
    }),
  }
  sortedByBatch.set(changes, result)
  return result
}

/** The key of the plan that the subscriber is on, or null. */
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
