import type { Client } from 'pg'

/**
 * Fills a table without its indexes, except those of constraints, then creates them again: this takes a third of the time
 * for millions of rows.
 */
export async function withoutIndexes(client: Client, table: string, fill: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i where i.indrelid = $1::regclass
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [table],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  try {
    await fill()
  } finally {
    for (const { definition } of rows) await client.query(definition)
  }
}
