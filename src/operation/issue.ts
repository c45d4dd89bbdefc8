import { type Actor, fairQueueKey } from '../access/actor.ts'
import type { SubscriberTokens } from '../access/subscriber-token.ts'
import { unauthorized } from '../core/errors.ts'
import type { Queries } from '../database/prisma.ts'
import type { EvalCaller, Gate } from '../gate/gate.ts'
import { admitMember, type MemberCall } from './admit-member.ts'
import type { Answers, MemberDefinition, PathOf } from './definition.ts'
import type { Kind } from './kind.ts'
import type { Services } from './services.ts'

type IssueCall<Route extends string, T> = {
  gate: Gate
  /** The caller for the gate: the request's API key and its network address. */
  caller: EvalCaller
  actor: Actor
  path: PathOf<Route>
  input: T
  tokens: SubscriberTokens
  /** Runs a read in the queue of the organization's requests. */
  inTurn<Result>(read: (db: Queries) => Promise<Result>): Promise<Result>
}

/** Makes a token or a signature for a caller with a key. Nothing is stored or recorded. */
export type Issue<Route extends string, T, Result> = MemberDefinition<Route, T> &
  Answers<Result> & { kind: 'issue'; run(call: IssueCall<Route, T>): Promise<Result> }

export function defineIssue<const Route extends string, T, Result>(
  operation: Omit<Issue<Route, T, Result>, 'kind' | 'method' | 'service'>,
): Issue<Route, T, Result> {
  return { kind: 'issue', method: 'POST', service: 'api', ...operation }
}

type AnyIssue = Issue<string, unknown, unknown>

export const issuing: Kind<AnyIssue> = {
  isWrite: true,
  isRecorded: () => false,
  admit: (services, operation, request) =>
    admitMember(services, { operation, isRecorded: false }, request, (call, readInput) =>
      run(services, operation, call, readInput),
    ),
}

function run(
  { database, gate, keyOrigins, queue, subscriberTokens: tokens }: Services,
  operation: AnyIssue,
  { actor, origin, path }: MemberCall,
  readInput: () => unknown,
): Promise<unknown> {
  if (actor.authType !== 'member_apikey') {
    throw unauthorized(
      'Only an API key can create tokens, because a token ends with its key. Send an API key in the X-API-Key header.',
    )
  }
  const input = operation.input.parse(readInput())
  const caller = { keyHash: actor.credentialHash, from: { keyAddress: keyOrigins.addressOf(origin.ip) } }
  const inTurn: IssueCall<string, unknown>['inTurn'] = (read) =>
    queue.run(fairQueueKey(actor), () => read(database.prisma))
  return operation.run({ gate, caller, actor, path, input, tokens, inTurn })
}
