import { AsyncLocalStorage } from 'node:async_hooks'
import { PrismaPg } from '@prisma/adapter-pg'
import type { ITXClientDenyList } from '@prisma/client/runtime/client'
import type pg from 'pg'
import type { QueryConfig } from 'pg'
import { PrismaClient as GeneratedClient, type Prisma } from './generated/client.ts'
import { limits } from './limits.ts'

/** Columns that a query returns only if it selects them by name. */
const omit = {
  apiKey: { hash: true },
  webhookEndpoint: { secret: true },
  webhookEvent: { sequence: true },
} as const satisfies Prisma.GlobalOmitConfig

/** The columns of a model that the client omits. */
export type OmittedOf<Model extends string> =
  Uncapitalize<Model> extends keyof typeof omit ? keyof (typeof omit)[Uncapitalize<Model>] : never

export function isOmittedColumn(model: string, column: string): boolean {
  const omitted: Record<string, object> = omit
  return Object.hasOwn(omitted[`${model.charAt(0).toLowerCase()}${model.slice(1)}`] ?? {}, column)
}

/** Prisma's client, whose rows lack the omitted columns. */
export type PrismaClient = GeneratedClient<never, typeof omit>

/** The client for reads, inside or outside a transaction. */
export type Queries = Omit<PrismaClient, ITXClientDenyList>

export function createPrisma(pool: pg.Pool): PrismaClient {
  return new GeneratedClient({
    adapter: new PrismaPg(lendingPool(pool)),
    omit,
    transactionOptions: { maxWait: limits.connectTimeoutMs, timeout: limits.transactionTimeoutMs },
  })
}

/** The members of the driver's client that Prisma uses for a transaction. */
export type BorrowedClient = {
  query(query: string | QueryConfig): Promise<unknown>
  on(): void
  removeListener(): void
  release(): void
}

const borrowedClient = new AsyncLocalStorage<BorrowedClient>()

/** Runs Prisma's transaction on a client that has begun it and will end it. */
export function runTransactionOn<Result>(
  client: BorrowedClient,
  prisma: PrismaClient,
  run: (tx: Queries) => Promise<Result>,
  timeoutMs: number,
): Promise<Result> {
  return borrowedClient.run(client, () => prisma.$transaction(run, { timeout: timeoutMs }))
}

/** Runs the work in a transaction, and rolls the transaction back. */
export async function rollBackAfter(prisma: PrismaClient, run: (tx: Queries) => Promise<void>): Promise<void> {
  const done = new Error('The transaction ran to its end, and is rolled back.')
  await prisma
    .$transaction(async (tx) => {
      await run(tx)
      throw done
    })
    .catch((error) => {
      if (error !== done) throw error
    })
}

/**
 * The pool for Prisma: a transaction within `runTransactionOn` gets the lent client instead of a client from the pool. There is
 * no other way to pass a client: `$transaction` has no parameter for it, and the adapter takes clients only from the pool.
 */
function lendingPool(pool: pg.Pool): pg.Pool {
  return new Proxy(pool, {
    get(target, name) {
      const client = name === 'connect' ? borrowedClient.getStore() : undefined
      if (client) return () => Promise.resolve(client)
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
