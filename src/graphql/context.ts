import type { Actor, UserActor } from '../access/actor.ts'
import type { Cookie } from '../access/cookies.ts'
import type { Label } from '../access/roles.ts'
import { hasAnyLabel } from '../access/roles.ts'
import { DomainError, forbidden, unauthorized } from '../core/errors.ts'
import type { Origin } from '../modules/audit/record.ts'
import type { Eval, MemberOperation, PathOf, Read, SignIn, UserRead, UserWrite, Write } from '../operation/operation.ts'
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

/** One GraphQL request. Its root fields run operations, exactly as rows of the REST table do. */
export type GraphqlContext = {
  services: Services
  origin: Origin
  batches: Batches
  /** The member who asks; throws 401 where no valid key or console session came along. */
  actor(): Actor
  /** The person who asks; throws 401 where no valid personal sign-in came along. */
  user(): UserActor
  /** Whoever asks; throws 401 where nobody does. */
  callers(): { member: Actor | null; user: UserActor | null }
  /** From here on this request is that person's: they just signed in. */
  actAs(user: UserActor): void
  page: Page
  /** For a nested field, which carries the labels of the read that it stands for. */
  assertLabels(labels: readonly Label[]): void
  read<Route extends string, T, Result>(
    operation: Read<Route, T, Result>,
    path: PathOf<Route>,
    input?: Record<string, unknown>,
    selection?: object,
  ): Promise<Result>
  /** Path values and body fields come together in one input, in camel case. */
  write<Route extends string, T, Result>(operation: Write<Route, T, Result>, input: object): Promise<Result>
  readUser<Route extends string, T, Result>(
    operation: UserRead<Route, T, Result>,
    path: PathOf<Route>,
    input?: Record<string, unknown>,
    selection?: object,
  ): Promise<Result>
  writeUser<Route extends string, T, Result>(operation: UserWrite<Route, T, Result>, input: object): Promise<Result>
  signIn<Route extends string, T, Result>(operation: SignIn<Route, T, Result>, input: object): Promise<Result>
  evaluate<Route extends string, T, Result>(
    operation: Eval<Route, T, Result>,
    path: PathOf<Route>,
    input: Record<string, unknown>,
  ): Promise<Result>
}

/** Whether the request comes from a page of the service itself, from one of elsewhere, or from no page; and its cookies. */
export type Page = {
  from: 'own' | 'foreign' | 'none'
  /** Set with the answer; of a request that is not from the service's own page, never. */
  setCookie(cookie: Cookie): void
  /** Takes the cookies of the personal sign-in and of all console sessions away. */
  endCookies(): void
}

/** Who asks, or the reason why nobody does: whether that matters is for the fields to say. */
export type Callers = { member: Actor | DomainError; user: UserActor | DomainError }

export function createGraphqlContext(services: Services, origin: Origin, page: Page, callers: Callers): GraphqlContext {
  let { user: personal } = callers
  const { member } = callers

  function actor(): Actor {
    if (member instanceof DomainError) throw member
    return member
  }

  function user(): UserActor {
    if (personal instanceof DomainError) throw personal
    return personal
  }

  async function admit<Route extends string>(operation: unknown, path: PathOf<Route>): Promise<Call<Route>> {
    const call = { actor: actor(), origin, path }
    await assertAllowed(services, operation as MemberOperation, call)
    return call
  }

  return {
    services,
    origin,
    batches: new Batches(),
    page,
    actor,
    user,
    callers() {
      if (member instanceof DomainError && personal instanceof DomainError) throw member
      return {
        member: member instanceof DomainError ? null : member,
        user: personal instanceof DomainError ? null : personal,
      }
    },
    actAs(signedIn) {
      personal = signedIn
    },
    assertLabels(labels) {
      if (!hasAnyLabel(actor().role, labels)) throw forbidden(labels)
    },
    async read(operation, path, input = {}, selection = undefined) {
      const call = await admit(operation, path)
      return inNamesOfGraphql(() => runRead(services, operation, call, () => input, selection))
    },
    async write(operation, input) {
      const { path, body } = splitInput(operation.route, input)
      const call = await admit(operation, path as PathOf<typeof operation.route>)
      return inNamesOfGraphql(() => runWrite(services, operation, call, body))
    },
    async evaluate(operation, path, input) {
      const { keyHash, organizationId, memberId } = (await admit(operation, path)).actor
      const caller = keyHash ? { keyHash } : { member: { organizationId, memberId } }
      return inNamesOfGraphql(() => runEval(services, operation, { caller, path }, operation.input.parse(input)))
    },
    async readUser(operation, path, input = {}, selection = undefined) {
      const call = { user: user(), origin, path }
      return inNamesOfGraphql(() => runUserRead(services, operation, call, () => input, selection))
    },
    async writeUser(operation, input) {
      const { path, body } = splitInput(operation.route, input)
      const call = { user: user(), origin, path: path as PathOf<typeof operation.route> }
      return inNamesOfGraphql(() => runUserWrite(services, operation, call, body))
    },
    async signIn(operation, input) {
      if (page.from === 'foreign') throw unauthorized('Nobody can sign in here from a page of another site.')
      return inNamesOfGraphql(() => runSignIn(services, operation, origin, splitInput(operation.route, input).body))
    },
  }
}

function splitInput(route: string, input: object): { path: Record<string, string>; body: Record<string, unknown> } {
  const path: Record<string, string> = {}
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    const specName = toSnakeCase(name)
    if (route.includes(`{${specName}}`)) path[specName] = String(value)
    else if (value !== undefined) body[specName] = value
  }
  return { path, body }
}

/** A 422 names its fields as the client wrote them: `expiresAt`, not `expires_at`; what a vendor named stays. */
async function inNamesOfGraphql<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error
    const fields = (error.details?.['fields'] as { path: string; message: string }[]).map(({ path, message }) => {
      const [first = '', ...rest] = path.split('.')
      return { path: [toCamelCase(first), ...rest].join('.'), message }
    })
    throw new DomainError('VALIDATION_ERROR', error.message, { fields })
  }
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
