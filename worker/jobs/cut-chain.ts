import type pg from 'pg'
import type { Logger } from 'pino'
import { isOrganizationMoving } from '../../src/access/organization-move.ts'
import type { SigningKey } from '../../src/core/signing-key.ts'
import { allowEntryDeletion } from '../../src/database/sql.ts'
import { ChainVerifier, type KnownHash } from '../../src/recording/chain/chain-verifier.ts'
import { findSignedKind, signHead, startKinds } from '../../src/recording/chain/head.ts'
import { readChain, readLinks, type StoredLink, toSignedCut } from '../../src/recording/chain/read-links.ts'
import { inTransaction } from '../transaction.ts'
import { auditEntryTable, bytesOf } from './counted-tables.ts'

export type CutOptions = {
  pool: pg.Pool
  keys: readonly [SigningKey, ...SigningKey[]]
  logger: Pick<Logger, 'error'>
}

/** The deleted entries, and whether later links may have to be deleted too. */
type CutResult = { entries: { id: string }[]; hasMore: boolean }

const nothingCut: CutResult = { entries: [], hasMore: false }

const pageBytes = 4 * 1024 * 1024

/**
 * Deletes the beginning of a chain, at most `atMost` links, whose entries have ids before `firstKept`, and signs the cut. An
 * entry is deleted with the last of its links. Nothing is deleted while the organization is being moved, because the copy could
 * not be cut at the same link. Links that were changed in the database are not deleted, because they prove the change. Fewer
 * links are deleted if their entries are large.
 */
export async function cutChain(
  { pool, keys, logger }: CutOptions,
  organizationId: string,
  firstKept: string,
  atMost: number,
): Promise<CutResult> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local time zone 'UTC'; set local synchronous_commit = off; select ${allowEntryDeletion}`)
    const { rowCount } = await client.query(
      `select from audit_chain where organization_id = $1 and not ${isOrganizationMoving('$1')} for update`,
      [organizationId],
    )
    if (rowCount === 0) return nothingCut
    const chain = await readChain(client, organizationId)
    if (chain === null) return nothingCut
    const cut = toSignedCut(organizationId, chain)
    const cutKind = cut && findSignedKind(startKinds, cut, keys)
    const readOldLinks = async (after: number) => {
      const links = await readLinks(client, organizationId, after, { rows: atMost, bytes: pageBytes })
      const keptIndex = links.findIndex(({ id }) => id >= firstKept)
      return { oldLinks: keptIndex === -1 ? links : links.slice(0, keptIndex), isEnd: keptIndex !== -1 }
    }
    if (cut && cutKind === 'lost') {
      const { oldLinks } = await readOldLinks(0)
      const unverifiable = oldLinks.filter(({ position }) => position <= cut.position).at(-1)
      if (unverifiable) {
        const { rows } = await client.query(deleteLinks, [organizationId, 0, unverifiable.position])
        return { entries: rows, hasMore: true }
      }
    }
    const after = cut?.position ?? 0
    const { oldLinks, isEnd } = await readOldLinks(after)
    const last = oldLinks.at(-1)
    if (last === undefined) return nothingCut
    if ((cut && cutKind === null) || !isUnchanged(organizationId, { position: after, hash: chain.cutHash }, oldLinks)) {
      logger.error({ organizationId }, 'old entries of an audit log were changed in the database, and are not deleted')
      return nothingCut
    }
    const { rows } = await client.query<{ id: string; now: Date }>(deleteLinks, [organizationId, after, last.position])
    const clock = await client.query<{ now: Date }>('select clock_timestamp() as now')
    const signedAt = (clock.rows[0] as { now: Date }).now
    const { hash, position } = last
    const { signature, kid } = signHead('cut', { organizationId, position, hash, signedAt }, keys[0])
    await client.query(
      `update audit_chain set cut_position = $2, cut_hash = $3, cut_at = $4, cut_signature = $5, cut_kid = $6
        where organization_id = $1`,
      [organizationId, position, hash, signedAt, signature, kid],
    )
    return { entries: rows, hasMore: !isEnd && position < Number(chain.position) }
  })
}

/** Whether the links continue the chain from the start without a gap or change. */
function isUnchanged(organizationId: string, start: KnownHash, links: readonly StoredLink[]): boolean {
  const verifier = new ChainVerifier(organizationId, start, [])
  for (const link of links) verifier.add(link)
  verifier.end()
  return verifier.take().length === 0
}

/** Deletes links, their entries, and the rows that belong to the entries, and subtracts their bytes from the stored bytes. */
const deleteLinks = `
  with cut as (
    delete from audit_link where organization_id = $1 and position > $2 and position <= $3 returning audit_event_id),
  old as (
    select distinct audit_event_id from cut
     where not exists (select from audit_link later
                        where later.organization_id = $1 and later.audit_event_id = cut.audit_event_id
                          and later.position > $3)),
  gone as (
    delete from audit_event using old where organization_id = $1 and audit_event.audit_event_id = old.audit_event_id
    returning audit_event.audit_event_id, created_id, ${bytesOf(auditEntryTable)} as bytes),
  unchained as (
    delete from audit_event_unchained using gone
     where organization_id = $1 and audit_event_unchained.audit_event_id = gone.audit_event_id),
  creation as (
    delete from audit_event_creation creation using gone
     where organization_id = $1 and creation.created_id = gone.created_id
       and creation.audit_event_id = gone.audit_event_id),
  counted as (
    update stored_bytes stored set audit = greatest(0, audit - freed), total = greatest(0, total - freed)
      from (select coalesce(sum(bytes), 0)::bigint as freed, max(audit_event_id) as last from gone) freed
     where organization_id = $1 and last <= audit_until)
  select audit_event_id as id from gone`
