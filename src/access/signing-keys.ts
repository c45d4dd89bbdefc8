import type pg from 'pg'
import { deriveSigningKey, type SigningKey } from '../core/signing-key.ts'
import { deriveAuditKeys, type KeySource } from '../database/master-key.ts'
import { isOutage } from '../database/outage.ts'
import type { Standby } from '../database/standby.ts'

/** The purposes of keys whose signatures third parties verify. */
type SigningPurpose = 'snapshot'

/** A public key in the format in which it is published (RFC 8037). */
type PublicKey = {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
  alg: 'EdDSA'
  use: 'sig'
  /** Only keys with this purpose verify heads of audit logs, because all other keys may come from a row of the database. */
  purpose?: 'audit-head'
}

/** A key of this process, and the time until which the database lists it. */
type OwnKey = { purpose: SigningPurpose; key: SigningKey; listedUntilMs: number; listing: Promise<void> | null }

/** How far the stored time is ahead of the last signature, so that a process stores it only about once an hour. */
const storedAheadMs = 3_600_000
const maxKeys = 100
const queryTimeoutMs = 3_000

type Options = {
  vault: KeySource
  pool: pg.Pool
  standby?: Standby | null
  /** How long the keys from the database are used before they are read again. */
  freshMs?: number
}

/**
 * The keys whose signatures third parties verify. The database keeps each public key for as long as its signatures may be used,
 * so that the key stays listed after the master key is replaced.
 */
export class SigningKeys {
  readonly #pool: pg.Pool
  readonly #standby: Standby | null
  readonly #freshMs: number
  readonly #ownKeys: readonly OwnKey[]
  /** Heads are never verified with a stored key: anyone who can write to the database could add such a key. */
  readonly #auditKeys: readonly [SigningKey, ...SigningKey[]]
  readonly #previousKeys: readonly SigningKey[]
  #storedKeys: PublicKey[] | null = null
  /** The ids of keys that are no longer listed, because their last signature has expired or they are compromised. */
  #endedIds: ReadonlySet<string> = new Set()
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null

  constructor({ vault, pool, standby = null, freshMs = 30_000 }: Options) {
    this.#pool = pool
    this.#standby = standby
    this.#freshMs = freshMs
    const key = deriveSigningKey(vault, 'snapshot-signature')
    this.#auditKeys = deriveAuditKeys(vault)
    this.#ownKeys = [{ purpose: 'snapshot', key, listedUntilMs: 0, listing: null }]
    // MASTER_KEY_PREVIOUS may also be the next key: it is then listed before other processes sign with it, because clients
    // cache the list.
    this.#previousKeys = vault.previous ? [deriveSigningKey(vault.previous, 'snapshot-signature')] : []
  }

  /**
   * The key for signatures that may be used until this time. The key is stored before the first of these signatures is sent,
   * except in an outage of the database: then the master key cannot be replaced either, and the stored key is needed only after
   * a replacement.
   */
  async keyFor(purpose: SigningPurpose, untilMs: number): Promise<SigningKey> {
    const own = this.#ownKeys.find((each) => each.purpose === purpose) as OwnKey
    while (own.listedUntilMs < untilMs && !this.#standby?.isInUse) {
      own.listing ??= this.#list(own, untilMs).finally(() => {
        own.listing = null
      })
      try {
        await own.listing
      } catch (error) {
        if (isOutage(error)) break
        throw error
      }
    }
    return own.key
  }

  /** The key for heads of audit logs. */
  get auditKey(): SigningKey {
    return this.#auditKeys[0]
  }

  /** All public keys that may still be needed to verify a signature; during an outage, the keys that were last read. */
  async published(): Promise<readonly PublicKey[]> {
    if (this.#storedKeys === null || performance.now() - this.#readAt > this.#freshMs) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = null
      })
      await this.#reading
    }
    const [auditKey, ...previousAudit] = this.#auditKeys
    const isListed = ({ kid }: SigningKey) => !this.#endedIds.has(kid)
    const snapshot = [...this.#ownKeys.map(({ key }) => key), ...this.#previousKeys.filter(isListed)]
    const audit = [auditKey, ...previousAudit.filter(isListed)]
    const own: PublicKey[] = [
      ...snapshot.map(toPublicKey),
      ...audit.map((key): PublicKey => ({ ...toPublicKey(key), purpose: 'audit-head' })),
    ]
    const isOwn = new Set(own.map(({ kid }) => kid))
    return [...own, ...(this.#storedKeys ?? []).filter(({ kid }) => !isOwn.has(kid))]
  }

  async #list(own: OwnKey, untilMs: number): Promise<void> {
    const { purpose, key } = own
    const { rows } = await this.#pool.query<{ until: Date }>({
      name: 'list-signing-key',
      text: `insert into signing_key as stored (kid, purpose, public_key, first_used_at, last_used_at, signatures_until)
             values ($1, $2, $3, clock_timestamp(), clock_timestamp(), $4)
             on conflict (kid) do update set last_used_at = excluded.last_used_at,
               signatures_until = greatest(stored.signatures_until, excluded.signatures_until)
             returning signatures_until as until`,
      values: [key.kid, purpose, key.x, new Date(untilMs + storedAheadMs)],
    })
    own.listedUntilMs = (rows[0] as { until: Date }).until.getTime()
  }

  async #read(): Promise<void> {
    try {
      const { rows } = await this.#pool.query<{ kid: string; x: string; isLive: boolean }>({
        text: `select kid, public_key as x, signatures_until > clock_timestamp() as "isLive" from signing_key
               order by 3 desc, first_used_at desc limit ${maxKeys}`,
        query_timeout: queryTimeoutMs,
      } as pg.QueryConfig)
      this.#storedKeys = rows.filter(({ isLive }) => isLive).map(toPublicKey)
      this.#endedIds = new Set(rows.flatMap(({ kid, isLive }) => (isLive ? [] : [kid])))
    } catch (error) {
      if (this.#storedKeys === null) throw error
    } finally {
      // The time is set after a failure, too, so that not every caller waits for the database.
      this.#readAt = performance.now()
    }
  }
}

function toPublicKey({ kid, x }: Pick<SigningKey, 'kid' | 'x'>): PublicKey {
  return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' }
}
