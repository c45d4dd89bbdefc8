import type { Prisma } from './generated/client.ts'
import type { Transaction } from './transaction.ts'

/** SQL with its values, as `Prisma.sql` makes it. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] }

/**
 * Selected in a transaction or in a statement of its own: its commit does not wait for the disk. For what does no harm when a crash
 * of PostgreSQL undoes it.
 */
export const withoutDisk = `set_config('synchronous_commit', 'off', true)`

/** Plain SQL within a transaction. The rows are as Prisma would give them: `bigint` and `Date`. */
export type Sql = {
  query<Row>(statement: Prisma.Sql): Promise<Row[]>
}

/** The same interface on Prisma's transaction. */
export function viaPrisma(tx: Transaction): Sql {
  return { query: <Row>(statement: Prisma.Sql) => tx.$queryRaw<Row[]>(statement) }
}

type Settled<Promises extends readonly unknown[]> = { -readonly [Place in keyof Promises]: Awaited<Promises[Place]> }

/**
 * The results of statements that were sent one after the other. If some failed, the first of them tells why: those behind
 * it only say that the transaction is aborted.
 */
export async function inOrder<const Promises extends readonly unknown[]>(
  promises: Promises,
): Promise<Settled<Promises>> {
  // Those behind the first failure are not awaited, and must not count as unhandled.
  for (const promise of promises) Promise.resolve(promise).catch(() => {})
  const results = []
  for (const promise of promises) results.push(await promise)
  return results as Settled<Promises>
}
