import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { firstIdAt } from '../../src/core/ids.ts'
import type { SigningKey } from '../../src/core/signing-key.ts'
import { findSignedKind, type SignedHead, signHead, toHeadFields } from '../../src/recording/chain/head.ts'
import { hashLink, rowOf, toColumns } from '../../src/recording/chain/link.ts'
import type { Clock } from '../clock.ts'
import { inTransaction } from '../transaction.ts'

/** After this time, an entry is chained even without an outcome. */
const pendingMs = 3_600_000

export type ChainOptions = {
  pool: pg.Pool
  clock: Clock
  /** The first key signs; all keys verify. */
  keys: readonly [SigningKey, ...SigningKey[]]
}

/** The limits for each organization. The first entry is added whatever its size. */
export type BatchSize = { rows: number; bytes: number }

/**
 * What was added to a chain. `head` is null if no entry was added. `isFull`: there may be more entries to add. `isForeign`:
 * none of our keys signed the last head.
 */
export type ChainingResult = {
  organizationId: string
  head: SignedHead | null
  rows: number
  isFull: boolean
  isForeign: boolean
}

/**
 * Adds final entries to the chains of these organizations, in one transaction. Locks the chains, so that two workers never
 * extend a chain from the same link, and skips chains that another worker has locked.
 */
export async function chainBatch(
  options: ChainOptions,
  organizationIds: readonly string[],
  size: BatchSize,
): Promise<ChainingResult[]> {
  return inTransaction(options.pool, async (client) => {
    // With bitmaps, PostgreSQL would read and sort all waiting entries for each batch.
    await client.query(`select set_config('timezone', 'UTC', true), set_config('enable_bitmapscan', 'off', true)`)
    const { clock, keys } = options
    const chains = await lockChains(client, clock, organizationIds)
    const { ours = [], foreign = [] } = Object.groupBy(chains, (chain) => (isOurs(chain, keys) ? 'ours' : 'foreign'))
    const entries = await readEntries(client, ours, size)
    const ofOrganization = Map.groupBy(entries, ({ organizationId }) => organizationId)
    const extended = ours.map((chain) =>
      extendChain(chain, ofOrganization.get(chain.organizationId) ?? [], size, keys[0]),
    )
    await store(client, extended)
    for (const { head } of extended) if (head) trustedHeads.set(head.organizationId, headKey(head))
    return [
      ...extended.map(({ chain, head, links, isFull }) => {
        return { organizationId: chain.organizationId, head, rows: links.length, isFull, isForeign: false }
      }),
      ...foreign.map(({ organizationId }) => ({ organizationId, head: null, rows: 0, isFull: false, isForeign: true })),
    ]
  })
}

type Chain = {
  organizationId: string
  position: string
  hash: string
  signedAt: Date | null
  signature: string | null
  kid: string | null
  sweptUntil: string | null
  now: Date
}

/** Locks the chains. Creates missing chains, which the next call finds. Skips organizations that are being deleted. */
async function lockChains(client: pg.PoolClient, clock: Clock, organizationIds: readonly string[]): Promise<Chain[]> {
  const { rows } = await client.query<Chain>(
    `with wanted as materialized (
       select organization_id from unnest($1::text[]) as wanted (organization_id)
        where not exists (select from deleted_organization gone
                           where gone.organization_id = wanted.organization_id and gone.finished_at is null)),
     added as (
       insert into audit_chain (organization_id) select organization_id from wanted
           on conflict do nothing)
     select chain.organization_id as "organizationId", position, hash, signed_at as "signedAt", signature, kid,
            swept_until as "sweptUntil", ${clock.sql()} as now
       from wanted join audit_chain chain using (organization_id)
      order by chain.organization_id for update of chain skip locked`,
    [organizationIds],
  )
  return rows
}

/**
 * Heads that this process has signed or verified. Cached, because verifying a head takes longer than adding several entries.
 */
const trustedHeads = new LRUCache<string, string>({ max: 10_000 })

const headKey = (head: SignedHead) => Object.values(toHeadFields(head)).join()

/** Never extend a chain whose head we did not sign: the new head would also vouch for the earlier links. */
function isOurs(
  { organizationId, position, hash, signedAt, signature, kid }: Chain,
  keys: ChainOptions['keys'],
): boolean {
  if (position === '0') return true
  if (signedAt === null || signature === null || kid === null || !keys.some((key) => key.kid === kid)) return false
  const head = { organizationId, position: Number(position), hash, signedAt, signature, kid }
  if (trustedHeads.get(organizationId) === headKey(head)) return true
  if (findSignedKind(['head', 'lost'], head, keys) === null) return false
  trustedHeads.set(organizationId, headKey(head))
  return true
}

type Entry = {
  organizationId: string
  id: string
  isPending: boolean
  /** How many entries were found before the byte limit was applied. */
  found: number
  /** The input of `toColumns`. */
  row: string
}

/** SQL: an entry by its id. With `limit`, PostgreSQL never reads the whole log of an organization to find a few entries. */
const entryOf = (organizationId: string, id: string) => `
  lateral (select *, ctid as version from audit_event
            where organization_id = ${organizationId} and audit_event_id = ${id} limit 1) entry`

/** SQL: the listed entries to add: those with an outcome, and pending ones with ids before `young` that have no link yet. */
const entriesToChain = (organizationId: string, young: string) => `
  audit_event_unchained listed cross join ${entryOf(organizationId, 'listed.audit_event_id')}
  where listed.organization_id = ${organizationId}
    and (entry.outcome <> 'pending'
         or (listed.audit_event_id < ${young}
             and (select true from audit_link link
                   where link.organization_id = ${organizationId} and link.audit_event_id = listed.audit_event_id
                     and link.is_pending limit 1) is null))`

/**
 * Reads the entries to add next, in the order of their changes. While a sweep adds old entries, reads only old entries. First
 * finds entries and their sizes, and then reads the entries within the byte limit, by the address (`ctid`) of the row version
 * that was found.
 */
async function readEntries(client: pg.PoolClient, chains: readonly Chain[], size: BatchSize): Promise<Entry[]> {
  const now = chains[0]?.now
  if (now === undefined) return []
  const { rows } = await client.query<Entry>({
    name: 'read-unchained',
    text: `
      select requested.organization_id as "organizationId", picked.id, picked.is_pending as "isPending", picked.found::int,
             ${rowOf('entry')} as row
        from unnest($1::text[], $2::text[]) as requested (organization_id, swept_until)
       cross join lateral (
         select each.*, sum(bytes) over (order by id, is_pending) - bytes as "bytesBefore", count(*) over () as found
           from ((select listed.audit_event_id as id, entry.version, outcome = 'pending' as is_pending,
                         coalesce(octet_length(details), 0) as bytes
                    from ${entriesToChain('requested.organization_id', '$4')} and requested.swept_until is null
                   order by id limit $3)
                 union all
                 (select audit_event_id as id, ctid, outcome = 'pending', coalesce(octet_length(details), 0)
                    from audit_event
                   where organization_id = requested.organization_id and audit_event_id > requested.swept_until
                   order by id limit $3)) each) picked
       cross join lateral (select * from audit_event where ctid = picked.version limit 1) entry
       where picked."bytesBefore" < $5 and entry.organization_id = requested.organization_id
       order by requested.organization_id, coalesce(entry.changed_at, entry.occurred_at), entry.audit_event_id`,
    values: [
      chains.map(({ organizationId }) => organizationId),
      chains.map(({ sweptUntil }) => sweptUntil),
      size.rows,
      firstIdAt(now.getTime() - pendingMs),
      size.bytes,
    ],
  })
  return rows
}

type Link = { position: number; id: string; isPending: boolean; hash: string }

type ExtendedChain = {
  chain: Chain
  entries: readonly Entry[]
  links: Link[]
  head: SignedHead | null
  sweptUntil: string | null
  isFull: boolean
}

function extendChain(chain: Chain, entries: readonly Entry[], size: BatchSize, key: SigningKey): ExtendedChain {
  const { organizationId, now } = chain
  const tooYoung = firstIdAt(now.getTime() - pendingMs)
  const links: Link[] = []
  let [position, hash] = [Number(chain.position), chain.hash]
  for (const { id, isPending, row } of entries) {
    if (isPending && id >= tooYoung) continue
    position += 1
    hash = hashLink({ organizationId, position, columns: toColumns(row) }, hash)
    links.push({ position, id, isPending, hash })
  }
  const head = links.length === 0 ? null : signHead('head', { organizationId, position, hash, signedAt: now }, key)
  const isFull = entries.length >= size.rows || entries.length < (entries[0]?.found ?? 0)
  const last = entries.reduce((latest, { id }) => (id > latest ? id : latest), chain.sweptUntil ?? '')
  return { chain, entries, links, head, sweptUntil: chain.sweptUntil !== null && isFull ? last : null, isFull }
}

async function store(client: pg.PoolClient, extended: readonly ExtendedChain[]): Promise<void> {
  const changed = extended.filter(({ entries, chain }) => entries.length > 0 || chain.sweptUntil !== null)
  if (changed.length === 0) return
  const links = changed.flatMap((each) => each.links.map((link) => ({ ...link, of: each.chain.organizationId })))
  await client.query({
    name: 'store-links',
    text: `
      with linked as (
        insert into audit_link (organization_id, position, audit_event_id, is_pending, hash)
        select * from unnest($1::text[], $2::bigint[], $3::text[], $4::boolean[], $5::text[])
        returning organization_id, audit_event_id, is_pending),
      done as (
        delete from audit_event_unchained listed using linked
         where listed.organization_id = linked.organization_id and listed.audit_event_id = linked.audit_event_id
           and not linked.is_pending)
      update audit_chain chain
         set swept_until = ended.swept_until, position = coalesce(ended.position, chain.position),
             hash = coalesce(ended.hash, chain.hash), signed_at = coalesce(ended.signed_at, chain.signed_at),
             signature = coalesce(ended.signature, chain.signature), kid = coalesce(ended.kid, chain.kid)
        from unnest($6::text[], $7::text[], $8::bigint[], $9::text[], $10::timestamptz[], $11::text[], $12::text[])
          as ended (organization_id, swept_until, position, hash, signed_at, signature, kid)
       where chain.organization_id = ended.organization_id`,
    values: [
      links.map(({ of }) => of),
      links.map(({ position }) => position),
      links.map(({ id }) => id),
      links.map(({ isPending }) => isPending),
      links.map(({ hash }) => hash),
      changed.map(({ chain }) => chain.organizationId),
      changed.map(({ sweptUntil }) => sweptUntil),
      changed.map(({ head }) => head?.position ?? null),
      changed.map(({ head }) => head?.hash ?? null),
      changed.map(({ head }) => head?.signedAt ?? null),
      changed.map(({ head }) => head?.signature ?? null),
      changed.map(({ head }) => head?.kid ?? null),
    ],
  })
}

/**
 * Finds organizations with ids after `after` that have entries to add: entries of the last hour with an outcome, old entries
 * that a sweep adds, and with `withOld` also older entries, pending or not. Steps from one organization to the next, however
 * many entries each has.
 */
export async function findOrganizationsToChain(
  { pool, clock }: Pick<ChainOptions, 'pool' | 'clock'>,
  { after, limit, withOld }: { after: string; limit: number; withOld: boolean },
): Promise<string[]> {
  const firstYoungId = firstIdAt(clock.now().getTime() - pendingMs)
  const step = (then: string) =>
    `select organization_id from audit_event_unchained where organization_id > ${then} order by organization_id limit 1`
  const { rows } = await pool.query<{ id: string }>({
    name: 'find-unchained',
    text: `with recursive organization (id) as (
       (${step('$1')})
       union all
       select (${step('organization.id')}) from organization where organization.id is not null)
     select distinct id from (
       (select id from organization
         where exists (select from ${entriesToChain('organization.id', '$4')} and listed.audit_event_id >= $3)
         limit $2)
       union all
       (select organization_id from audit_chain where swept_until is not null and organization_id > $1
         order by organization_id limit $2)) found
      order by id limit $2`,
    values: [after, limit, withOld ? '' : firstYoungId, firstYoungId],
  })
  return rows.map(({ id }) => id)
}
