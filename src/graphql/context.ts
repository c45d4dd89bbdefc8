import type { GraphQLResolveInfo } from 'graphql'
import type { Actor, UserActor } from '../access/actor.ts'
import type { Label } from '../access/roles.ts'
import { hasAnyLabel } from '../access/roles.ts'
import { DomainError, forbidden } from '../core/errors.ts'
import type { Database } from '../database/client.ts'
import type { PrismaClient } from '../database/generated/client.ts'
import { type Cookie, noSignInFromElsewhere } from '../http/cookies.ts'
import type { Origin } from '../http/origin.ts'
import type {
  Eval,
  MemberOperation,
  PathOf,
  Read,
  ReadScope,
  SignIn,
  UserRead,
  UserWrite,
  Write,
} from '../operation/operation.ts'
import {
  assertAllowed,
  type Call,
  runEval,
  runRead,
  runSignIn,
  runUserRead,
  runUserWrite,
  runWrite,
  type Services,
} from '../operation/run-operation.ts'
import { Batches } from './batches.ts'
import type { Budget } from './budget.ts'
import { withFieldNames } from './field-names.ts'
import { createLoader } from './loader.ts'

type Body = Record<string, unknown>

/** One GraphQL request. Its root fields run operations, exactly as rows of the REST table do. */
export type GraphqlContext = {
  origin: Origin
  database: Database
  db: PrismaClient
  page: CallingPage
  /** What the request may still load and answer. */
  budget: Budget
  /** Whether anybody asks: a member or a person. */
  isKnown: boolean
  /** In whose turns the answer is made: an organization's or a person's id, empty for nobody's. */
  owner: string
  /** Whoever asks, as a member, as a person or as both; 401 where nobody does. */
  viewer(): Viewer
  /**
   * Before each field of a mutation: they run one after the other, and each begins with the caller of its moment. The
   * fields of a query start together, with the caller that the door found.
   */
  startMutation(): Promise<void>
  /** From here on this request is also that person's: they just signed in, and this is the token of their session. */
  actAs(user: UserActor, sessionToken: string): void
  read<Route extends string, T, Result>(
    operation: Read<Route, T, Result>,
    path: PathOf<Route>,
    input?: Body,
    selection?: object,
  ): Promise<Result>
  /**
   * Path values and body fields come together in one input, in camel case. `toBody` brings what the schema words in
   * another way into the shape of the operation; it is a part of reading the input, and may refuse as that does.
   */
  write<Route extends string, T, Result>(
    operation: Write<Route, T, Result>,
    input: object,
    toBody?: (body: Body) => Body,
  ): Promise<Result>
  evaluate<Route extends string, T, Result>(
    operation: Eval<Route, T, Result>,
    path: PathOf<Route>,
    input: Body,
  ): Promise<Result>
  readUser<Route extends string, T, Result>(
    operation: UserRead<Route, T, Result>,
    path: PathOf<Route>,
    input?: Body,
    selection?: object,
  ): Promise<Result>
  writeUser<Route extends string, T, Result>(operation: UserWrite<Route, T, Result>, input: object): Promise<Result>
  signIn<Route extends string, T, Result>(operation: SignIn<Route, T, Result>, input: object): Promise<Result>
  /** For a nested field, which carries the labels of the read that it stands for. */
  assertLabels(labels: readonly Label[]): void
  /** The value of a nested field for one parent, read for all parents of its level at once. */
  nested<Value>(
    { path }: GraphQLResolveInfo,
    parent: string,
    loadMany: (scope: ReadScope, parents: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<Value | undefined>
}

/** Whether the request comes from a page of the service itself, from one of elsewhere, or from no page; and its cookies. */
export type CallingPage = {
  from: 'own' | 'foreign' | 'none'
  isHttps: boolean
  /** Set with the answer; of a request that is not from the service's own page, never. */
  setCookie(cookie: Cookie): void
  /** Takes the cookies of the personal sign-in and of all console sessions away. */
  endCookies(): void
}

export type Viewer = { member: Actor | null; user: UserActor | null }

/** Who asks, or the reason why nobody does: whether that matters is for the fields to say. */
export type Callers = { member: Actor | DomainError; user: UserActor | DomainError }

/** Looks the callers up again; the session is that of a person who signed in by this very request. */
export type FindCallers = (sessionToken: string | null) => Promise<Callers>

/** What the door knows of a request. */
type Request = { origin: Origin; page: CallingPage; callers: Callers; findCallers: FindCallers; budget: Budget }

export function createGraphqlContext(services: Services, request: Request): GraphqlContext {
  const { origin, page, findCallers, budget } = request
  const batches = new Batches()
  const load = createLoader(budget)
  let { callers } = request
  let sessionToken: string | null = null
  let hasStarted = false

  const actor = () => orThrow(callers.member)
  const user = () => orThrow(callers.user)

  async function admit<Route extends string>(operation: unknown, path: PathOf<Route>): Promise<Call<Route>> {
    const call = { actor: actor(), origin, path }
    await assertAllowed(services, operation as MemberOperation, call)
    return call
  }

  return {
    origin,
    database: services.database,
    db: services.database.prisma,
    page,
    budget,
    isKnown: !(callers.member instanceof DomainError && callers.user instanceof DomainError),
    owner: orNull(callers.member)?.organizationId ?? orNull(callers.user)?.userId ?? '',
    viewer() {
      const { member, user } = callers
      if (member instanceof DomainError && user instanceof DomainError) throw member
      return { member: orNull(member), user: orNull(user) }
    },
    async startMutation() {
      if (hasStarted) callers = await findCallers(sessionToken)
      hasStarted = true
    },
    actAs(user, token) {
      callers = { ...callers, user }
      sessionToken = token
    },
    async read(operation, path, input = {}, selection = undefined) {
      const call = await admit(operation, path)
      return inNamesOfGraphql(() => load(() => runRead(services, operation, call, () => input, selection)))
    },
    async write(operation, input, toBody = (body) => body) {
      const { path, body } = splitInput(operation.route, input)
      const call = await admit(operation, path as PathOf<typeof operation.route>)
      const reading = { ...operation.input, parse: (raw: unknown) => operation.input.parse(toBody(raw as Body)) }
      return inNamesOfGraphql(() => runWrite(services, { ...operation, input: reading }, call, body))
    },
    async evaluate(operation, path, input) {
      const { authType, credentialHash, organizationId, memberId } = (await admit(operation, path)).actor
      const caller =
        authType === 'member_apikey' ? { keyHash: credentialHash } : { member: { organizationId, memberId } }
      return inNamesOfGraphql(() => runEval(services, operation, { caller, path }, operation.input.parse(input)))
    },
    async readUser(operation, path, input = {}, selection = undefined) {
      const call = { user: user(), origin, path }
      return inNamesOfGraphql(() => load(() => runUserRead(services, operation, call, () => input, selection)))
    },
    async writeUser(operation, input) {
      const { path, body } = splitInput(operation.route, input)
      const call = { user: user(), origin, path: path as PathOf<typeof operation.route> }
      return inNamesOfGraphql(() => runUserWrite(services, operation, call, body))
    },
    async signIn(operation, input) {
      if (page.from === 'foreign') throw noSignInFromElsewhere
      return inNamesOfGraphql(() => runSignIn(services, operation, origin, splitInput(operation.route, input).body))
    },
    assertLabels(labels) {
      if (!hasAnyLabel(actor().role, labels)) throw forbidden(labels)
    },
    nested({ path }, parent, loadMany) {
      const { organizationId, authenticatedAt } = actor()
      const scope: ReadScope = {
        db: services.database.prisma,
        organizationId,
        now: authenticatedAt,
        room: budget,
      }
      const loadAll = (parents: readonly string[]) =>
        load(() => services.queue.run(organizationId, () => loadMany(scope, parents)))
      return batches.load(path, parent, loadAll)
    },
  }
}

function orThrow<Caller>(caller: Caller | DomainError): Caller {
  if (caller instanceof DomainError) throw caller
  return caller
}

function orNull<Caller>(caller: Caller | DomainError): Caller | null {
  return caller instanceof DomainError ? null : caller
}

/** A longer one names nothing either way, and would be stored whole in an audit entry. */
const maxPathValueLength = 32_768

/** Path values in the order of the route, as the audit log shows them. */
function splitInput(route: string, input: object): { path: Record<string, string>; body: Body } {
  const body: Body = {}
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined) body[toSnakeCase(name)] = value
  }
  const path: Record<string, string> = {}
  for (const [, name = ''] of route.matchAll(/\{(\w+)\}/g)) {
    path[name] = String(body[name]).slice(0, maxPathValueLength)
    delete body[name]
  }
  return { path, body }
}

/** `expires_at` is `expiresAt` here; what the vendor named stays, as in `grants.max_seats`. */
function inNamesOfGraphql<Result>(run: () => Promise<Result>): Promise<Result> {
  return withFieldNames((path) => {
    const [first = '', ...rest] = path.split('.')
    return [toCamelCase(first), ...rest].join('.')
  }, run)
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
