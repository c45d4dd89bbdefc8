import type pg from 'pg'
import { deriveSigningKey, type SigningKey } from '../core/signing-key.ts'
import { StartupError } from '../core/startup-error.ts'
import type { Vault } from '../core/vault.ts'
import { deriveAuditKeys } from '../database/master-key.ts'
import { findSignedKind, signHead, startKinds } from '../recording/chain/head.ts'
import type { ShowProgress } from './with-progress.ts'

type Options = {
  pool: pg.Pool
  vault: Vault
  /** Whether others may know the old key. */
  compromised: boolean
  show: ShowProgress
}

const rowsInBatch = 500

/**
 * The columns with encrypted values, and their owner and purpose, as for `Vault.encrypt`. A row is replaced only if its value
 * is still the one that was read, so values that a server writes meanwhile stay. Empty values are skipped: replacing a lost key
 * leaves them.
 */
const encryptedColumns = [
  { table: 'webhook_endpoint', column: 'secret', id: "''", purpose: 'webhook-secret' },
  { table: 'invite', column: 'encrypted_token', id: 'invite_id', purpose: 'invite-token' },
] as const

/** Encrypts and signs again, with the new key. Returns a text that says what was done, and what to do next. */
export async function rotateMasterKey(options: Options): Promise<string> {
  const { pool, vault, compromised } = options
  const { previous } = vault
  if (!previous) throw new RangeError('There is no previous key.')
  if (previous.deriveKey('fingerprint').equals(vault.deriveKey('fingerprint')))
    throw new StartupError('MASTER_KEY and MASTER_KEY_PREVIOUS are the same key.')
  const secretCounts = { reencrypted: 0, unreadable: 0 }
  for (const each of encryptedColumns) await reencryptSecrets(options, each, secretCounts)
  const heads = await resignHeads(options)
  if (secretCounts.unreadable > 0) {
    throw new StartupError(
      `${secretCounts.unreadable} secrets were encrypted by neither key, so MASTER_KEY_PREVIOUS must stay; all others are encrypted with the new key. If the key of these secrets is lost, rotate the secrets of the webhooks and revoke the invites that they belong to, then run this again.`,
    )
  }
  await pool.query('update master_key set fingerprint = $1', [vault.deriveKey('fingerprint')])
  if (compromised)
    await revokeSigningKeys(pool, [
      deriveSigningKey(previous, 'snapshot-signature'),
      deriveAuditKeys({ ...previous })[0],
    ])
  const foreign =
    heads.foreign === 0
      ? []
      : [
          `${heads.foreign} audit logs end with a head that neither key signed: run \`npm run audit:verify -- --database\`.`,
        ]
  return [
    `${secretCounts.reencrypted} secrets are encrypted with the new key, and ${heads.again} heads of audit logs are signed with it.`,
    ...foreign,
    ...(compromised ? compromisedSteps : nextSteps),
  ].join('\n')
}

const nextSteps = [
  'Once no process uses the old key as MASTER_KEY any more, run this again: it should find nothing.',
  'An hour after that, you can remove MASTER_KEY_PREVIOUS: until then, tokens that were signed with it are valid.',
]

const compromisedSteps = [
  'Start all processes again without MASTER_KEY_PREVIOUS now: until then, they accept tokens that were signed with the old key.',
  'The public keys of the old master key are no longer listed: snapshots that were signed with it must be fetched again.',
  'Whoever has the old key and a copy of the database can read the webhook secrets and open invites in that copy: rotate the secrets (POST /org/webhook/rotate) and revoke the invites.',
]

type RotationCounts = { reencrypted: number; unreadable: number }

async function reencryptSecrets(
  { pool, vault, show }: Options,
  { table, column, id, purpose }: (typeof encryptedColumns)[number],
  counted: RotationCounts,
): Promise<void> {
  let [organization, last] = ['', '']
  for (;;) {
    const { rows } = await pool.query<{ organization: string; id: string; bytes: Buffer }>(
      `select organization_id as organization, ${id} as id, ${column} as bytes from ${table}
        where (organization_id, ${id}) > ($1, $2) and ${column} <> '' order by 1, 2 limit ${rowsInBatch}`,
      [organization, last],
    )
    const changed = rows.flatMap(({ organization, id, bytes }) => {
      const owner = id === '' ? organization : `${organization}/${id}`
      try {
        const again = vault.encryptAgain(purpose, owner, bytes)
        return again ? [{ organization, id, bytes, again: Buffer.from(again) }] : []
      } catch {
        counted.unreadable += 1
        return []
      }
    })
    if (changed.length > 0) {
      const { rowCount } = await pool.query(
        `update ${table} set ${column} = given.again
           from unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[]) as given (organization, id, bytes, again)
          where organization_id = given.organization and ${id} = given.id and ${column} = given.bytes`,
        [
          changed.map((each) => each.organization),
          changed.map((each) => each.id),
          changed.map((each) => each.bytes),
          changed.map((each) => each.again),
        ],
      )
      counted.reencrypted += rowCount ?? 0
    }
    show(`encrypted ${counted.reencrypted} secrets again, now in ${table}`)
    const end = rows.at(-1)
    if (!end || rows.length < rowsInBatch) return
    ;[organization, last] = [end.organization, end.id]
  }
}

type HeadRow = {
  organizationId: string
  position: string
  hash: string
  at: Date | null
  signature: string | null
  kid: string | null
}

/** The columns of a chain's head and cut in `audit_chain`. */
const columnsOfHead = {
  head: ['position', 'hash', 'signed_at', 'signature', 'kid'],
  cut: ['cut_position', 'cut_hash', 'cut_at', 'cut_signature', 'cut_kid'],
} as const

/** The kinds of text that a signature may cover: after a lost key, the end equals the beginning until a link is added. */
const kindsOfHead = { head: ['head', 'lost'], cut: startKinds } as const

/**
 * Signs again everything that the previous key signed. A head that neither key signed stays as it is, because our signature
 * would confirm it.
 */
async function resignHeads({ pool, vault, show }: Options): Promise<{ again: number; foreign: number }> {
  const keys = deriveAuditKeys(vault)
  const counted = { again: 0, foreign: 0 }
  for (const kind of ['head', 'cut'] as const) {
    const [position, hash, at, signature, kid] = columnsOfHead[kind]
    for (let after = '', isFull = true; isFull; ) {
      const { rows } = await pool.query<HeadRow>(
        `select organization_id as "organizationId", ${position} as position, ${hash} as hash, ${at} as at,
                ${signature} as signature, ${kid} as kid
           from audit_chain where organization_id > $1 and ${kid} <> $2 order by organization_id limit ${rowsInBatch}`,
        [after, keys[0].kid],
      )
      for (const chain of rows) {
        const signed = signHeadAgain(kind, chain, keys)
        if (!signed) counted.foreign += 1
        if (!signed) continue
        const { rowCount } = await pool.query(
          `update audit_chain set ${signature} = $3, ${kid} = $4 where organization_id = $1 and ${signature} = $2`,
          [chain.organizationId, chain.signature, signed.signature, signed.kid],
        )
        counted.again += rowCount ?? 0
      }
      isFull = rows.length === rowsInBatch
      after = rows.at(-1)?.organizationId ?? after
      show(`signed ${counted.again} heads of audit logs again`)
    }
  }
  return counted
}

function signHeadAgain(
  columns: keyof typeof columnsOfHead,
  chain: HeadRow,
  keys: readonly [SigningKey, ...SigningKey[]],
) {
  const { organizationId, position, hash, at, signature, kid } = chain
  if (at === null || signature === null || kid === null) return null
  const head = { organizationId, position: Number(position), hash, signedAt: at }
  const kind = findSignedKind(kindsOfHead[columns], { ...head, signature, kid }, keys)
  return kind && signHead(kind, head, keys[0])
}

/** Makes all signatures with these keys invalid, even where the keys are still in use. */
async function revokeSigningKeys(pool: pg.Pool, keys: readonly SigningKey[]): Promise<void> {
  await pool.query(
    `insert into signing_key as stored (kid, purpose, public_key, first_used_at, last_used_at, signatures_until)
     select kid, 'compromised', x, clock_timestamp(), clock_timestamp(), 'epoch'
       from unnest($1::text[], $2::text[]) as ended (kid, x)
         on conflict (kid) do update set signatures_until = excluded.signatures_until`,
    [keys.map(({ kid }) => kid), keys.map(({ x }) => x)],
  )
}
