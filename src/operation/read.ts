import { type Actor, fairQueueKey } from '../access/actor.ts'
import { lockRights } from '../access/rights.ts'
import type { DomainError } from '../core/errors.ts'
import type { Vault } from '../core/vault.ts'
import type { Role } from '../database/generated/enums.ts'
import type { Queries } from '../database/prisma.ts'
import { rollBackAfter } from '../database/prisma.ts'
import { slicedReader } from '../database/read-in-slices.ts'
import { awaitInOrder, type Sql, viaPrisma } from '../database/sql.ts'
import type { Transaction } from '../database/transaction.ts'
import { admitMember, type MemberCall } from './admit-member.ts'
import type { Answers, MemberDefinition, PathOf } from './definition.ts'
import { ExportRequest, type Exports, openExport } from './export.ts'
import type { Kind } from './kind.ts'
import type { Limits } from './limits.ts'
import { runRecorded } from './run-recorded.ts'
import type { Services } from './services.ts'

type ReadCall<Route extends string, T> = {
  db: Queries
  /** Reads the rows of a list that may be long, without blocking the event loop. */
  readRows: Sql['query']
  /** Runs writes in a transaction that is rolled back. */
  dryRun(run: (tx: Transaction) => Promise<void>): Promise<void>
  /**
   * Returns 409 if the organization has reached its storage cap, so that a write that adds data would be refused; else null.
   */
  findStorageRefusal(): Promise<DomainError | null>
  organizationId: string
  memberId: string
  /** The caller's role, for answers with parts that need another label. */
  role: Role
  path: PathOf<Route>
  input: T
  /** The relations that a GraphQL document requests, to be passed to Prisma Client. */
  selection: object
  /** The database's time when the request was authenticated. */
  now: Date
  /** The server's defaults that an answer may contain. */
  limits: Limits
  vault: Vault
  /** The service's address, without a trailing slash: links begin with it. */
  baseUrl: string
}

/** A limit on requests per second, shared by all operations with this name. Each field of a GraphQL document counts. */
export type Rate = { name: string; perSecond: number }

export type Read<Route extends string, T, Result> = MemberDefinition<Route, T> &
  Answers<Result> & {
    kind: 'read'
    /** How many requests an owner may send to one process; unlimited by default. */
    rate?: Rate
    /**
     * Whether the input searches for a part of a name, which may make the database read very many rows. Each owner may send 20
     * such reads per second, and they run one at a time.
     */
    searches?: (input: T) => boolean
    /** Whether the audit log records the read, as it records writes; set for reads that show secrets. */
    recorded?: true
    run(call: ReadCall<Route, T>): Promise<Result>
    /** Reads every matching row, for downloads over REST. */
    exports?: Exports<ReadCall<Route, T>>
    /** Like `run`, but without the parts that GraphQL loads through separate fields when they are requested. */
    runWithoutParts?(call: ReadCall<Route, T>): Promise<Result>
  }

export function defineRead<const Route extends string, T, Result>(
  operation: Omit<Read<Route, T, Result>, 'kind' | 'method'> & { method?: 'POST' },
): Read<Route, T, Result> {
  return { kind: 'read', method: 'GET', ...operation }
}

type AnyRead = Read<string, unknown, unknown>

export const read: Kind<AnyRead> = {
  isWrite: false,
  isRecorded: ({ recorded }) => recorded === true,
  admit: (services, operation, request) =>
    admitMember(services, { operation, isRecorded: read.isRecorded(operation) }, request, (call, readInput) =>
      run(services, operation, call, readInput),
    ),
}

const searchRate: Rate = { name: 'search', perSecond: 20 }

/** Counts a request of the owner; throws 429 if the owner has exceeded the rate. */
export function consumeRate(
  { rateLimiter }: Pick<Services, 'rateLimiter'>,
  { name, perSecond }: Rate,
  { ownerId }: Actor,
): void {
  rateLimiter.take(name, ownerId, perSecond)
}

async function run(
  services: Services,
  operation: AnyRead,
  { api, actor, origin, path, selection = {} }: MemberCall,
  readInput: () => unknown,
): Promise<unknown> {
  const { database, limits, storageQuota, vault } = services
  const { exports } = operation
  const { organizationId, memberId, role, authenticatedAt: now } = actor
  const runRead = (api === 'graphql' && operation.runWithoutParts) || operation.run
  const callWith = (db: Queries, input: unknown) => {
    const { query: readRows } = db === database.prisma ? slicedReader(database.pool, actor.ownerId) : viaPrisma(db)
    const dryRun = (work: (tx: Transaction) => Promise<void>) => rollBackAfter(database.prisma, work)
    const findStorageRefusal = async () =>
      storageQuota.findRefusal(organizationId, await db.storedBytes.findUnique({ where: { organizationId } }))
    return {
      db,
      readRows,
      dryRun,
      findStorageRefusal,
      organizationId,
      memberId,
      role,
      path,
      input,
      selection,
      now,
      limits,
      vault,
      baseUrl: origin.baseUrl,
    }
  }
  const readFrom = (db: Queries, input: unknown) => runRead(callWith(db, input))
  if (!operation.recorded) {
    const rawInput = readInput()
    const input = operation.input.parse(rawInput instanceof ExportRequest ? rawInput.raw : rawInput)
    if (operation.rate) consumeRate(services, operation.rate, actor)
    const isSearch = operation.searches?.(input) === true
    if (isSearch) consumeRate(services, searchRate, actor)
    const inTurn = <Page>(work: () => Promise<Page>): Promise<Page> => {
      const queued = () => services.queue.run(fairQueueKey(actor), work)
      return isSearch ? services.searches.run(fairQueueKey(actor), queued) : queued()
    }
    if (!(rawInput instanceof ExportRequest) || !exports) return inTurn(() => readFrom(database.prisma, input))
    const call = callWith(database.prisma, input)
    return openExport(services, { operation, actor, closed: rawInput.closed }, (after) =>
      inTurn(() => exports.page(call, after)),
    )
  }

  return runRecorded(services, {
    subject: { operation, actor, origin, path },
    status: 200,
    prepare: () => operation.input.parse(readInput()),
    async run({ sql, withPrisma, recorded }, input) {
      await awaitInOrder([recorded, lockRights(sql, actor, operation)])
      return { result: await withPrisma((tx) => readFrom(tx, input)) }
    },
  })
}
