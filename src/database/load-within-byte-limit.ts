import { Prisma } from './generated/client.ts'
import type { Query, Sql } from './sql.ts'

/** The rows and bytes that a request may still load. */
export type LoadBudget = {
  remaining(): { rows: number; bytes: number }
  assertFits(rows: number, bytes: number): void
}

/**
 * Loads the rows of a select that has a column `value`. The same statement first adds up the bytes of the values, so that the
 * database never sends more rows or bytes than the budget allows.
 */
export async function loadWithinByteLimit<Row>(
  readRows: Sql['query'],
  { requested, orderBy }: { requested: Query<Row>; orderBy: Prisma.Sql },
  budget: LoadBudget,
): Promise<Row[]> {
  const remaining = budget.remaining()
  const found = await readRows<Row & { weightRows: number; weightBytes: number }>(
    Prisma.sql`
    with requested as materialized (${requested}),
         weight as (
           select count(*)::int as "weightRows", coalesce(sum(octet_length(value)), 0)::float8 as "weightBytes"
             from requested)
    select * from weight
      left join requested on "weightRows" <= ${remaining.rows} and "weightBytes" <= ${remaining.bytes}
     order by ${orderBy}` as Query<Row & { weightRows: number; weightBytes: number }>,
  )
  const { weightRows, weightBytes } = found[0] as (typeof found)[0]
  budget.assertFits(weightRows, weightBytes)
  return weightRows === 0 ? [] : found
}
