import { shareOf } from '../access/actor.ts'
import { type ChangesPage, type Following, follow, poll } from '../changes/follow.ts'
import type { Cursor } from '../changes/position.ts'
import { Overloaded } from '../core/errors.ts'
import { admitMember, type MemberCall } from './admit-member.ts'
import type { Answers, MemberFacts } from './facts.ts'
import type { Kind } from './kind.ts'
import type { Services } from './services.ts'
import { takePlace } from './take-place.ts'

/** What of the changes is asked for. */
type FollowInput = { after: Cursor | null; limit: number; waitMs: number }

/** A read that may wait for changes, or stream them. It holds neither a connection nor a place of a queue while it waits. */
export type Follow<Route extends string, T> = MemberFacts<Route, T> &
  Answers<ChangesPage> & {
    kind: 'follow'
    /** Reads without waiting that an organization may send to one process in a second. */
    perSecond: number
    toInput(input: T): FollowInput
  }

export function defineFollow<const Route extends string, T>(
  operation: Omit<Follow<Route, T>, 'kind' | 'method'>,
): Follow<Route, T> {
  return { kind: 'follow', method: 'GET', ...operation }
}

/** Given by a door as the raw input, with what ends the wait, and what takes the pages of a stream. */
export class Waiting {
  readonly raw: unknown
  readonly signal: AbortSignal
  /** Takes the pages of a stream; null: the first page is the answer. */
  readonly take: ((page: ChangesPage) => Promise<void>) | null

  constructor(raw: unknown, signal: AbortSignal, take: Waiting['take'] = null) {
    this.raw = raw
    this.signal = signal
    this.take = take
  }
}

type AnyFollow = Follow<string, unknown>

export const following: Kind<AnyFollow> = {
  isWrite: false,
  isRecorded: () => false,
  admit: (services, operation, request) =>
    admitMember(services, { operation, isRecorded: false }, request, (call, readInput) =>
      run(services, operation, call, readInput()),
    ),
}

const never = new AbortController().signal

async function run(
  services: Services,
  operation: AnyFollow,
  { actor }: MemberCall,
  given: unknown,
): Promise<ChangesPage | null> {
  const { changes, followerPlaces, limits, queue, rateLimiter } = services
  const { raw, signal, take } = given instanceof Waiting ? given : new Waiting(given, never)
  const { after, limit, waitMs } = operation.toInput(operation.input.parse(raw))
  const { organizationId, credentialHash } = actor
  const asked: Following = {
    organizationId,
    credentialHash,
    after,
    limit,
    retentionMs: limits.changesRetentionHours * 3_600_000,
    inQueue: (read) => queue.run(shareOf(actor), read),
  }
  if (!take && waitMs === 0) {
    rateLimiter.take(operation.name, organizationId, operation.perSecond)
    return poll(changes, asked, { waitMs, signal })
  }
  if (take && changes.isClosed) throw new Overloaded('This process is stopping. Connect again.')
  const leave = takePlace(followerPlaces, organizationId, refusals)
  try {
    if (!take) return await poll(changes, asked, { waitMs, signal })
    for await (const page of follow(changes, asked, signal)) await take(page)
    return null
  } finally {
    leave()
  }
}

const refusals = {
  ofOne: (held: number) =>
    `Your organization already has ${held} followers at this process. End some, or have MAX_FOLLOWERS raised on the server.`,
  ofAll: 'Other organizations have too many followers here. Try again in a moment.',
}
