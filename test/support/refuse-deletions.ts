import type pg from 'pg'
import { onTestFinished } from 'vitest'

/** Makes PostgreSQL refuse to delete the table's rows that match this condition on `old`, until the test ends. */
export async function refuseDeletions(pool: pg.Pool, table: string, condition: string): Promise<void> {
  await pool.query(
    `create or replace function refuse_deletion() returns trigger language plpgsql
         as $$ begin raise exception 'the test refuses this deletion'; end $$`,
  )
  await pool.query(
    `create trigger refused before delete on ${table} for each row when (${condition}) execute function refuse_deletion()`,
  )
  onTestFinished(async () => void (await pool.query(`drop trigger refused on ${table}`)))
}
