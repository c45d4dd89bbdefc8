import { type Actor, fairQueueKey } from '../access/actor.ts'
import type { TokenSubject } from '../access/subscriber-token.ts'
import { type Cursors, plainCursors, sealedCursors } from '../changes/cursors.ts'
import { type ChangesPage, type FollowRequest, follow, poll } from '../changes/follow.ts'
import type { FollowerOptions } from '../changes/follower.ts'
import { findPlan, OwnChanges } from '../changes/own-changes.ts'
import { Overloaded } from '../core/errors.ts'
import type { Share } from '../fairness/fair-queue.ts'
import { admitMember } from './admit-member.ts'
import type { Answers, MemberDefinition } from './definition.ts'
import type { Admission, Kind } from './kind.ts'
import type { Services } from './services.ts'
import { withSlot } from './slots.ts'
import { assertTokenSubject, tokenSubjectId } from './token-subject.ts'

/** The requested selection of changes. */
type FollowInput = { after: string | null; limit: number; waitMs: number }

/** A page of changes, with its cursor as the text that the caller gets. */
export type CallerPage = Omit<ChangesPage, 'cursor'> & { cursor: string }

/** A read that may wait for changes, or stream them. It holds neither a connection nor a slot of a queue while it waits. */
export type Follow<Route extends string, T> = MemberDefinition<Route, T> &
  Answers<CallerPage> & {
    kind: 'follow'
    /** How many non-waiting reads an organization may send to one process per second. */
    perSecond: number
    toInput(input: T): FollowInput
  }

export function defineFollow<const Route extends string, T>(
  operation: Omit<Follow<Route, T>, 'kind' | 'method'>,
): Follow<Route, T> {
  return { kind: 'follow', method: 'GET', ...operation }
}

/**
 * Passed by an API as the input of a `follow` operation. Contains the request's input (`raw`), and the signal that ends the
 * wait or the stream.
 */
export class WaitingRequest {
  readonly raw: unknown
  readonly signal: AbortSignal
  /**
   * Called with each page of a stream, and a signal that aborts when the stream ends; if null, the first page is the answer.
   */
  readonly onPage: ((page: CallerPage, ended: AbortSignal) => Promise<void>) | null

  constructor(raw: unknown, signal: AbortSignal, onPage: WaitingRequest['onPage'] = null) {
    this.raw = raw
    this.signal = signal
    this.onPage = onPage
  }
}

type AnyFollow = Follow<string, unknown>

export const following: Kind<AnyFollow> = {
  isWrite: false,
  isRecorded: () => false,
  async admit(services, operation, request) {
    const tokenSubject = await request.callers.tokenSubject()
    if (tokenSubject) return admitTokenSubject(services, operation, tokenSubject)
    return admitMember(services, { operation, isRecorded: false }, request, ({ actor }, readInput) =>
      run(services, operation, followerOf(services, operation, actor), readInput()),
    )
  },
}

async function admitTokenSubject(
  services: Services,
  operation: AnyFollow,
  tokenSubject: TokenSubject,
): Promise<Admission> {
  const { ownerId } = await assertTokenSubject(services, operation, tokenSubject)
  const { organizationId } = tokenSubject
  return {
    organizationId: () => organizationId,
    ownerId,
    run: (readInput) => run(services, operation, ownFollowerOf(services, tokenSubject, ownerId), readInput()),
    refuse: async () => {},
  }
}

/** The follower, and its limits. */
type FollowerWithLimits = FollowerOptions & {
  share: Share
  cursors: Cursors
  /** How many non-waiting reads all followers with this name together may send to a process per second. */
  readers: { name: string; perSecond: number }
  /** Runs a waiting poll or a stream in a slot, or refuses. */
  inSlot<Result>(work: () => Promise<Result>): Promise<Result>
}

function followerOf({ followerSlots }: Services, { perSecond }: AnyFollow, actor: Actor): FollowerWithLimits {
  const { organizationId, credentialHash: credential } = actor
  return {
    organizationId,
    credential,
    own: null,
    cursors: plainCursors,
    share: fairQueueKey(actor),
    readers: { name: organizationId, perSecond },
    inSlot: (work) => withSlot(followerSlots, organizationId, refusals, work),
  }
}

function ownFollowerOf(services: Services, tokenSubject: TokenSubject, ownerId: string): FollowerWithLimits {
  const { database, tokenSubjectSlots, queue, vault } = services
  const { organizationId, subscriberId } = tokenSubject
  const share = { owner: ownerId, part: organizationId }
  const readPlan = () => queue.run(share, () => findPlan(database.pool, tokenSubject))
  return {
    organizationId,
    credential: tokenSubject,
    own: new OwnChanges({ organizationId, subscriberId, readPlan }),
    cursors: sealedCursors(vault, tokenSubject),
    share,
    readers: { name: tokenSubjectId(tokenSubject), perSecond: tokenSubjectReadsPerSecond },
    inSlot: (work) =>
      withSlot(tokenSubjectSlots.ofOwner, ownerId, refusalsOfTokenSubjects, () =>
        withSlot(tokenSubjectSlots.ofSubscriber, tokenSubjectId(tokenSubject), refusalsOfTokenSubject, work),
      ),
  }
}

/** How many non-waiting reads a subscriber may send to one process per second. */
const tokenSubjectReadsPerSecond = 5

const neverAborted = new AbortController().signal

async function run(
  { changes, limits, queue, rateLimiter }: Services,
  operation: AnyFollow,
  { organizationId, credential, own, cursors, share, readers, inSlot }: FollowerWithLimits,
  rawInput: unknown,
): Promise<CallerPage | null> {
  const { raw, signal, onPage } =
    rawInput instanceof WaitingRequest ? rawInput : new WaitingRequest(rawInput, neverAborted)
  const { after, limit, waitMs } = operation.toInput(operation.input.parse(raw))
  const ending = new AbortController()
  const followRequest: FollowRequest = {
    organizationId,
    credential,
    own,
    after: after === null ? null : cursors.read(after),
    limit,
    retentionMs: limits.changesRetentionHours * 3_600_000,
    inQueue: (read) => queue.run(share, read),
    onEnd: () => ending.abort(),
  }
  const write = (page: ChangesPage): CallerPage => ({ ...page, cursor: cursors.write(page.cursor) })
  if (!onPage && waitMs === 0) {
    rateLimiter.take(operation.name, readers.name, readers.perSecond)
    return write(await poll(changes, followRequest, { waitMs, signal }))
  }
  if (onPage && changes.isClosed) throw new Overloaded('stopping', 'This process is stopping. Connect again.')
  return inSlot(async () => {
    if (!onPage) return write(await poll(changes, followRequest, { waitMs, signal }))
    for await (const page of follow(changes, followRequest, signal)) await onPage(write(page), ending.signal)
    return null
  })
}

const refusals = {
  ofOne: (held: number) =>
    `Your organization already has ${held} followers at this process. End some, or ask the operator of this server to raise MAX_FOLLOWERS.`,
  ofAll: 'Other organizations have too many followers here. Try again in a moment.',
}

const refusalsOfTokenSubject = {
  ofOne: (held: number) => `This subscriber already has ${held} streams or waiting requests here. End one.`,
  ofAll: 'Too many subscribers follow changes here. Try again in a moment.',
}

const refusalsOfTokenSubjects = {
  ofOne: (held: number) => `Your organization's subscribers already have ${held} streams here. Try again in a moment.`,
  ofAll: refusalsOfTokenSubject.ofAll,
}
