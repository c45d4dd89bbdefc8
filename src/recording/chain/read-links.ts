import type pg from 'pg'
import type { SignedHead } from './head.ts'
import { type Columns, rowOf, toColumns, withoutOutcome } from './link.ts'

/** A link, with its entry as it was when it was added to the chain; `columns` is null if the entry is missing. */
export type StoredLink = { position: number; id: string; isPending: boolean; hash: string; columns: Columns | null }

type PageSize = { rows: number; bytes: number }

const pageSize: PageSize = { rows: 1000, bytes: 4 * 1024 * 1024 }

/** Reads a page of links after a position; the first link is read whatever its size. The connection's time zone must be UTC. */
export async function readLinks(
  client: pg.ClientBase,
  organizationId: string,
  after: number,
  { rows: atMost, bytes }: PageSize = pageSize,
): Promise<StoredLink[]> {
  const { rows } = await client.query<
    Omit<StoredLink, 'position' | 'columns'> & { position: string; entry: string | null }
  >({
    name: 'read-links',
    text: `
      select position, audit_event_id as id, is_pending as "isPending", hash,
             (select ${rowOf('entry')} from audit_event entry
               where entry.organization_id = $1 and entry.audit_event_id = sized.audit_event_id) as entry
        from (select link.*, sum(size) over (order by position) - size as "bytesBefore"
                from (select link.*, coalesce(octet_length(details), 0) as size
                        from (select * from audit_link where organization_id = $1 and position > $2
                               order by position limit $3) link
                        left join audit_event using (organization_id, audit_event_id)) link) sized
       where "bytesBefore" < $4
       order by position`,
    values: [organizationId, after, atMost, bytes],
  })
  return rows.map(({ position, entry, ...link }) => {
    const columns = entry === null ? null : toColumns(entry)
    return {
      ...link,
      position: Number(position),
      columns: columns && link.isPending ? withoutOutcome(columns) : columns,
    }
  })
}

/** The stored columns of the chain's end and, if the retention deleted the chain's beginning, of its cut. */
export type StoredChain = {
  position: string
  hash: string
  signedAt: Date | null
  signature: string | null
  kid: string | null
  cutPosition: string
  cutHash: string
  cutAt: Date | null
  cutSignature: string | null
  cutKid: string | null
  sweptUntil: string | null
}

export async function readChain(client: pg.ClientBase, organizationId: string): Promise<StoredChain | null> {
  const { rows } = await client.query<StoredChain>(
    `select position, hash, signed_at as "signedAt", signature, kid, cut_position as "cutPosition", cut_hash as "cutHash",
            cut_at as "cutAt", cut_signature as "cutSignature", cut_kid as "cutKid", swept_until as "sweptUntil"
       from audit_chain where organization_id = $1`,
    [organizationId],
  )
  return rows[0] ?? null
}

/** The chain's end. Null before the first link, and before the first link after the key was lost. */
export function toHead(organizationId: string, chain: StoredChain): SignedHead | null {
  const isAtCut = chain.position === chain.cutPosition && chain.signature === chain.cutSignature
  return isAtCut && chain.signature !== null ? null : toSignedHead(organizationId, chain)
}

type SignedColumns = Pick<StoredChain, 'position' | 'hash' | 'signedAt' | 'signature' | 'kid'>

function toSignedHead(
  organizationId: string,
  { position, hash, signedAt, signature, kid }: SignedColumns,
): SignedHead | null {
  if (position === '0') return null
  // A head whose signature is missing gets an empty signature, which is never valid.
  return {
    organizationId,
    position: Number(position),
    hash,
    signedAt: signedAt ?? new Date(0),
    signature: signature ?? '',
    kid: kid ?? '',
  }
}

/** The position where the verifiable part of the chain begins; null if it begins at the first link. */
export function toSignedCut(organizationId: string, chain: StoredChain): SignedHead | null {
  const { cutPosition: position, cutHash: hash, cutAt: signedAt, cutSignature: signature, cutKid: kid } = chain
  return toSignedHead(organizationId, { position, hash, signedAt, signature, kid })
}
