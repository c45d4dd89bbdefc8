import type pg from 'pg'
import type { Vault } from '../core/vault.ts'
import { deriveAuditKeys } from '../database/master-key.ts'
import { newSecret } from '../modules/webhook/webhook.ts'
import { findSignedKind, signHead } from '../recording/chain/head.ts'
import { readChain, toHead, toSignedCut } from '../recording/chain/read-links.ts'
import type { ShowProgress } from './with-progress.ts'

const rowsInBatch = 500

/** Counts what the lost key protected, and the connections of other processes of the service. */
export async function countLostValues(
  pool: pg.Pool,
): Promise<{ secrets: number; invites: number; chains: number; connections: number }> {
  const { rows } = await pool.query(
    `select (select count(*)::int from webhook_endpoint) as secrets,
            (select count(*)::int from invite where expires_at > clock_timestamp()) as invites,
            (select count(*)::int from audit_chain where position > 0) as chains,
            (select count(*)::int from pg_stat_activity
              where datname = current_database() and application_name like 'entitlements-service%'
                and pid <> pg_backend_pid()) as connections`,
  )
  return rows[0]
}

/**
 * Makes the vault's key the key of the database, whose own key was lost: creates new secrets for webhooks, and continues the
 * chains with the new key. Can be stopped at any time and repeated: values that the vault can already read stay.
 */
export async function replaceLostKey(pool: pg.Pool, vault: Vault, show: ShowProgress): Promise<void> {
  show('creating new secrets for webhooks')
  await replaceSecrets(pool, vault)
  await pool.query(`update invite set encrypted_token = ''`)
  await signNewBeginnings(pool, vault, show)
  await pool.query('update master_key set fingerprint = $1', [vault.deriveKey('fingerprint')])
}

async function replaceSecrets(pool: pg.Pool, vault: Vault): Promise<void> {
  for await (const rows of readPages<{ id: string; secret: Buffer }>(
    pool,
    'select organization_id as id, secret from webhook_endpoint',
  )) {
    const replaced = rows
      .filter(({ id, secret }) => !canDecrypt(vault, id, secret))
      .map(({ id }) => ({ id, ...newSecret(vault, id) }))
    await pool.query(
      `update webhook_endpoint set secret = given.secret, secret_prefix = given.prefix
         from unnest($1::text[], $2::bytea[], $3::text[]) as given (id, secret, prefix) where organization_id = given.id`,
      [
        replaced.map(({ id }) => id),
        replaced.map(({ sealed }) => Buffer.from(sealed)),
        replaced.map(({ secretPrefix }) => secretPrefix),
      ],
    )
  }
}

function canDecrypt(vault: Vault, organizationId: string, secret: Buffer): boolean {
  try {
    vault.decrypt('webhook-secret', organizationId, secret)
    return true
  } catch {
    return false
  }
}

/**
 * Signs the end of each chain as a beginning, never as a head: the next link follows the hash of the old end, but nobody can
 * verify the links before it.
 */
async function signNewBeginnings(pool: pg.Pool, vault: Vault, show: ShowProgress): Promise<void> {
  let count = 0
  const [key] = deriveAuditKeys(vault)
  for await (const rows of readPages<{ id: string }>(pool, 'select organization_id as id from audit_chain')) {
    count += rows.length
    show(`starting new chains of audit logs, ${count} so far`)
    for (const { id } of rows) {
      const client = await pool.connect()
      try {
        const chain = await readChain(client, id)
        const cut = chain && toSignedCut(id, chain)
        const head = chain && toHead(id, chain)
        // Skips a chain for which an interrupted run has already started a new chain.
        if (!head || (cut && findSignedKind(['lost'], cut, [key]))) continue
        const { position, hash } = head
        const { signature, kid, signedAt } = signHead(
          'lost',
          { organizationId: id, position, hash, signedAt: new Date() },
          key,
        )
        await client.query(
          `update audit_chain
              set signed_at = $2, signature = $3, kid = $4,
                  cut_position = position, cut_hash = hash, cut_at = $2, cut_signature = $3, cut_kid = $4
            where organization_id = $1`,
          [id, signedAt, signature, kid],
        )
      } finally {
        client.release()
      }
    }
  }
}

/** Reads pages of the rows of a select whose first column is the organization's id, as `id`. */
async function* readPages<Row extends { id: string }>(pool: pg.Pool, select: string): AsyncGenerator<Row[]> {
  for (let after = ''; ; ) {
    const { rows } = await pool.query<Row>(
      `${select} where organization_id > $1 order by organization_id limit ${rowsInBatch}`,
      [after],
    )
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.id
  }
}
