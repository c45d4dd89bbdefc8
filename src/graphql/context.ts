import type { Actor } from '../access/actor.ts'
import type { Label } from '../access/roles.ts'
import { hasAnyLabel } from '../access/roles.ts'
import { DomainError, forbidden, unauthorized } from '../core/errors.ts'
import type { Origin } from '../modules/audit/record.ts'
import type { AnyOperation, Eval, PathOf, Read, Write } from '../operation/operation.ts'
import { assertAllowed, type Call, runEval, runRead, runWrite, type Services } from '../operation/run-operation.ts'
import { Batches } from './batches.ts'

/** One GraphQL request. Its root fields run operations, exactly as rows of the REST table do. */
export type GraphqlContext = {
  services: Services
  origin: Origin
  batches: Batches
  /** Who asks; throws 401 where no valid credentials came along. */
  actor(): Actor
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
  evaluate<Route extends string, T, Result>(
    operation: Eval<Route, T, Result>,
    path: PathOf<Route>,
    input: Record<string, unknown>,
  ): Promise<Result>
}

/** `caller` is who asks, or the reason why nobody does: whether that matters is for the fields to say. */
export function createGraphqlContext(services: Services, origin: Origin, caller: Actor | DomainError): GraphqlContext {
  function actor(): Actor {
    if (caller instanceof DomainError) throw caller
    return caller
  }

  async function admit<Route extends string>(operation: unknown, path: PathOf<Route>): Promise<Call<Route>> {
    const call = { actor: actor(), origin, path }
    await assertAllowed(services, operation as AnyOperation, call)
    return call
  }

  return {
    services,
    origin,
    batches: new Batches(),
    actor,
    assertLabels(labels) {
      if (!hasAnyLabel(actor().role, labels)) throw forbidden(labels)
    },
    async read(operation, path, input = {}, selection = undefined) {
      const call = await admit(operation, path)
      return inNamesOfGraphql(() => runRead(services, operation, call, input, selection))
    },
    async write(operation, input) {
      const { path, body } = splitInput(operation.route, input)
      const call = await admit(operation, path as PathOf<typeof operation.route>)
      return inNamesOfGraphql(() => runWrite(services, operation, call, body))
    },
    async evaluate(operation, path, input) {
      const { keyHash } = (await admit(operation, path)).actor
      return inNamesOfGraphql(() => runEval(services, operation, { keyHash, path }, operation.input.parse(input)))
    },
  }
}

export const noCredentials = unauthorized()

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
