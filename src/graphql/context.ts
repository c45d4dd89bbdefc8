import type { GraphQLResolveInfo } from 'graphql'
import { type Actor, fairQueueKey, type UserActor } from '../access/actor.ts'
import type { BrowserMarks } from '../access/known-devices.ts'
import type { Label } from '../access/roles.ts'
import { hasAnyLabel } from '../access/roles.ts'
import { DomainError, forbidden } from '../core/errors.ts'
import { networkOf } from '../core/network.ts'
import type { Database } from '../database/client.ts'
import type { PrismaClient } from '../database/prisma.ts'
import { slicedReader } from '../database/read-in-slices.ts'
import { loopSlices } from '../fairness/loop-slices.ts'
import { type Cookie, crossSiteSignInRefused } from '../http/cookies.ts'
import type { Origin } from '../http/origin.ts'
import { endReplacedSessions } from '../modules/accounts/user-session.ts'
import type { IdempotentRequest } from '../operation/idempotent-request.ts'
import { kindOf } from '../operation/kinds.ts'
import type { AnyOperation, Rate, ReadScope, ResultOf, SelectionWith } from '../operation/operation.ts'
import { consumeRate } from '../operation/read.ts'
import type { Callers as OperationCallers, OperationRequest } from '../operation/request.ts'
import { type Admitted, admit } from '../operation/run-operation.ts'
import type { Services } from '../operation/services.ts'
import type { OpenSpan } from '../tracing/open-span.ts'
import { Batches } from './batches.ts'
import type { Budget } from './budget.ts'
import { GrantedEvals } from './granted-evals.ts'
import { createLoader } from './loader.ts'
import { inNamesOfGraphql, pathValuesIn, toOperationNames } from './names.ts'
import { toSelection } from './needed-columns.ts'

/** One GraphQL request. Its root fields run operations, as REST routes do. */
export type GraphqlContext = {
  origin: Origin
  /** Set if the request has an `Idempotency-Key`. */
  idempotentRequest: IdempotentRequest | null
  /**
   * The client with which Pothos loads relations of objects that writes returned. Its queries wait for a slot, as all reads do.
   */
  db(): PrismaClient
  page: CallingPage
  marks: BrowserMarks
  /** Counts the rows and bytes that the request loads and returns. */
  budget: Budget
  /** Why the sent key or token is not valid; null if it is valid, or if none was sent. */
  credentialRefusal: DomainError | null
  /** Whether the caller is known: a member or a person. */
  isKnown: boolean
  /** The answer uses this organization's or person's share of the event loop. Empty without a caller. */
  owner: string
  /** Whether the request's body is so large that reading its values takes long: see `runInLoopSlice`. */
  isLarge: boolean
  /** The caller as a member, as a person or as both. Throws 401 if there is no caller. */
  viewer(): Viewer
  /** False with the option --no-delivery. */
  sendsWebhooks: boolean
  /** Called before each root field of a mutation. From the second field on, authenticates the caller again. */
  startMutation(): Promise<void>
  /** Makes this request act for a person who just signed in; `sessionToken` is the token of their session. */
  actAs(user: UserActor, sessionToken: string): void
  /** Runs the operation of a root field. `input` contains path values and fields, under GraphQL's names. */
  run<Operation extends AnyOperation>(
    operation: Operation,
    input?: object,
    selection?: () => object,
  ): Promise<ResultOf<Operation>>
  /** Undoes the counts of the request's evals, because its answer is refused. */
  takeBackEvals(): void
  /** Releases the memory of the request's evals, once all fields are resolved. Not every document selects the entitlements. */
  releaseEvals(): void
  /** Admits the caller to the operation of a root field. */
  admit<Operation extends AnyOperation>(
    operation: Operation,
    input: object,
    idempotentRequest?: IdempotentRequest | null,
    selection?: object,
  ): Promise<Admitted<ResultOf<Operation>>>
  /** Ends the earlier sign-in and console sessions of the browser in which this request just signed a person in. */
  replaceSessions(userId: string): Promise<void>
  /** Runs statements in the queue of the person whom this request just signed in. */
  asPerson<Result>(userId: string, work: (database: Database) => Promise<Result>): Promise<Result>
  /** Throws 403 unless the caller has a label of the read that a nested field represents. */
  assertLabels(labels: readonly Label[]): void
  /** Counts a nested field against the rate limit of the read that it represents; throws 429 beyond the limit. */
  consumeRate(rate: Rate): void
  /** Loads the value of a nested field for one parent, together with the values for the other parents at its level. */
  nested<Value>(info: GraphQLResolveInfo, parent: string, loadMany: LoadMany<Value>): Promise<Value | undefined>
}

/** `selectionWith` returns Prisma's selection of the rows of the field's own type. */
type LoadMany<Value> = (
  scope: ReadScope,
  parents: readonly string[],
  selectionWith: SelectionWith,
) => Promise<ReadonlyMap<string, Value>>

/** Whether the request comes from a page of the service, from another site's page, or from no page; and its cookies. */
export type CallingPage = {
  from: 'own' | 'foreign' | 'none'
  isHttps: boolean
  /** Null unless somebody signed in with this browser before. */
  browserMark: string | null
  /** SHA-256 of the tokens of the browser's sign-in and console sessions, whether or not the sessions have ended. */
  sessions(): Buffer[]
  /** Sets a cookie with the answer, but only for a request from one of the service's own pages. */
  setCookie(cookie: Cookie): void
  /** Removes the cookies of the personal sign-in and of all console sessions. */
  endCookies(): void
}

type Viewer = { member: Actor | null; user: UserActor | null }

/** The caller, or the reason why it is unknown: each field decides whether it needs a caller. */
export type Callers = {
  member: Actor | DomainError
  user: UserActor | DomainError
  /** Why the sent key or token is not valid; null if it is valid, or if none was sent. */
  credentialRefusal: DomainError | null
}

/** Authenticates the request again; `sessionToken` belongs to the person whom it has signed in. */
type FindCallers = (sessionToken: string | null) => Promise<Callers>

type Request = Pick<GraphqlContext, 'origin' | 'idempotentRequest' | 'page' | 'budget'> & {
  callers: Callers
  findCallers: FindCallers
  isLarge?: boolean
  span?: OpenSpan | null
}

export function createGraphqlContext(services: Services, request: Request): GraphqlContext {
  const { origin, idempotentRequest, page, findCallers, budget, isLarge = false, span = null } = request
  const batches = new Batches()
  const load = createLoader(budget)
  let { callers } = request
  let sessionToken: string | null = null
  let hasStartedMutation = false
  const evals = new GrantedEvals(services.gate)

  const actor = () => orThrow(callers.member)
  const owner = orNull(callers.member)?.ownerId ?? orNull(callers.user)?.userId ?? ''
  const loopSliceOptions = { origin, owner, isLarge }
  const keyAddress = services.keyOrigins.addressOf(origin.ip)
  const operationCallers = operationCallersOf(() => callers, { page, keyAddress })
  const common = { api: 'graphql', origin, requestId: origin.requestId, callers: operationCallers, span } as const

  const admitTo = createAdmit(services, common)

  return {
    ...loopSliceOptions,
    idempotentRequest,
    db: () => slotLimitedClient(services, actor(), load),
    page,
    marks: services.identity.marks,
    sendsWebhooks: services.limits.delivers,
    budget,
    credentialRefusal: callers.credentialRefusal,
    isKnown: !(callers.member instanceof DomainError && callers.user instanceof DomainError),
    viewer() {
      const { member, user } = callers
      if (member instanceof DomainError && user instanceof DomainError) throw member
      return { member: orNull(member), user: orNull(user) }
    },
    async startMutation() {
      if (hasStartedMutation) callers = await findCallers(sessionToken)
      hasStartedMutation = true
    },
    actAs(user, token) {
      callers = { ...callers, user }
      sessionToken = token
    },
    admit: admitTo,
    async run(operation, input = {}, selection) {
      const { fields } = operation.input
      const admitted = await admitTo(operation, input, idempotentRequest, selection?.())
      const runAtOnce = () => admitted.run(() => toOperationNames(fields, input))
      // Evals run at once, so that all of them go into one statement.
      const run = operation.kind === 'eval' ? runAtOnce : () => runInLoopSlice(loopSliceOptions, runAtOnce)
      const loadsRows = !kindOf(operation).isWrite && operation.kind !== 'eval'
      const result = await inNamesOfGraphql(fields, loadsRows ? () => load(run) : run)
      evals.add(operation, result)
      if (budget.refusal) evals.takeBack()
      return result
    },
    takeBackEvals: () => evals.takeBack(),
    releaseEvals: () => evals.release(),
    replaceSessions: (userId) => replaceSessions(services, page, userId),
    asPerson: (userId, work) => services.lookups.ofOwner(userId, () => work(services.database)),
    assertLabels(labels) {
      if (!hasAnyLabel(actor().role, labels)) throw forbidden(labels)
    },
    consumeRate: (rate) => consumeRate(services, rate, actor()),
    nested(info, parent, loadMany) {
      const member = actor()
      const loadAll = (parents: readonly string[]) => {
        const scope = scopeOf(services.database, member, budget)
        const selectionWith: SelectionWith = (...columns) => toSelection(info, columns)
        return load(() => services.queue.run(fairQueueKey(member), () => loadMany(scope, parents, selectionWith)))
      }
      return batches.load(info.path, parent, loadAll)
    },
  }
}

function createAdmit(
  services: Services,
  common: Pick<OperationRequest, 'api' | 'origin' | 'requestId' | 'callers' | 'span'>,
): GraphqlContext['admit'] {
  return (operation, input, idempotentRequest = null, selection) => {
    const path = pathValuesIn(operation.route, input)
    return admit(services, operation, { ...common, path, selection, idempotentRequest })
  }
}

/**
 * Does work whose time grows with the size of the request. For a large request, the work gets its own turn of the event loop,
 * and the owner then rests. Many fields may share a large variable, and each of them reads all of it.
 */
export async function runInLoopSlice<Result>(
  { origin, owner, isLarge }: Pick<GraphqlContext, 'origin' | 'owner' | 'isLarge'>,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  return isLarge ? await loopSlices.runWhole(owner || networkOf(origin.ip), work) : await work()
}

function scopeOf({ prisma: db, pool }: Database, member: Actor, loadBudget: Budget): ReadScope {
  const { organizationId, ownerId, authenticatedAt: now } = member
  return { db, readRows: slicedReader(pool, ownerId).query, organizationId, now, loadBudget }
}

/** A client whose queries wait for a slot in the member's queue, and count against the request's budget. */
function slotLimitedClient(
  { database, queue }: Services,
  member: Actor,
  load: ReturnType<typeof createLoader>,
): PrismaClient {
  const $allOperations = ({ args, query }: AnyQuery) => load(() => queue.run(fairQueueKey(member), () => query(args)))
  return database.prisma.$extends({ query: { $allOperations } }) as unknown as PrismaClient
}

type AnyQuery = { args: unknown; query: (args: unknown) => Promise<unknown> }

function operationCallersOf(
  callers: () => Callers,
  { page, keyAddress }: { page: CallingPage; keyAddress: string | null },
): OperationCallers {
  return {
    member: () => orThrow(callers().member),
    // Subscriber tokens are only for the REST API: here they are invalid Bearer tokens.
    tokenSubject: () => null,
    evaluator: () => evaluatorOf(orThrow(callers().member), keyAddress),
    person: () => orThrow(callers().user),
    anonymousClient() {
      if (page.from === 'foreign') throw crossSiteSignInRefused
      return { browserMark: page.browserMark }
    },
  }
}

/** Runs in the person's queue, because it may have to wait for locks of the person who was signed in before. */
async function replaceSessions({ queue, database }: Services, page: GraphqlContext['page'], userId: string) {
  await queue.run({ owner: userId, part: userId }, () => endReplacedSessions(database, page.sessions()))
  page.endCookies()
}

function evaluatorOf(member: Actor, keyAddress: string | null): ReturnType<OperationCallers['evaluator']> {
  const { authType, credentialHash, organizationId, memberId } = member
  if (authType === 'member_session') return { caller: { member: { organizationId, memberId } }, member }
  return { caller: { keyHash: credentialHash, from: { keyAddress } }, member }
}

function orThrow<Caller>(caller: Caller | DomainError): Caller {
  if (caller instanceof DomainError) throw caller
  return caller
}

function orNull<Caller>(caller: Caller | DomainError): Caller | null {
  return caller instanceof DomainError ? null : caller
}
