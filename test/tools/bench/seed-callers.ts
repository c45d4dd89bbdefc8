import type { ClientBase, Pool } from 'pg'

/** Adds an admin with one key to each organization, and limits that no bench reaches. */
export async function seedCallers(
  db: Pool | ClientBase,
  ids: readonly string[],
  keyHashes: readonly Buffer[],
): Promise<void> {
  await db.query(
    `insert into eval_counter (organization_id, rate_limit, allotment) select id, 2000000000, -1 from unnest($1::text[]) id`,
    [ids],
  )
  await db.query(
    `insert into member (organization_id, member_id, service_account_id, display_name, role, created_at, updated_at)
     select id, id, id, 'bench', 'admin', now(), now() from unnest($1::text[]) id`,
    [ids],
  )
  await db.query(`insert into service_account select id, id, id, 'bench', now(), now() from unnest($1::text[]) id`, [
    ids,
  ])
  await db.query(
    `insert into api_key (organization_id, key_id, service_account_id, member_id, key_hash, key_prefix, name, created_at)
     select id, id, id, id, hash, 'ent_bench', 'bench', now() from unnest($1::text[], $2::bytea[]) as o(id, hash)`,
    [ids, keyHashes],
  )
}
