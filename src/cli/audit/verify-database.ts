import type pg from 'pg'
import { printNote } from '../../core/print.ts'
import { beginSnapshot } from '../../database/stored-tables.ts'
import { ChainVerifier, type Finding } from '../../recording/chain/chain-verifier.ts'
import type { SignedHead, VerifyingKey } from '../../recording/chain/head.ts'
import { readChain, readLinks, toHead, toSignedCut } from '../../recording/chain/read-links.ts'
import { findSignatureFault } from './trusted-heads.ts'
import type { ReportFindings } from './verify-file.ts'

type Options = {
  client: pg.Client
  organization: string | null
  /** Heads that somebody stored outside the database. */
  heads: readonly SignedHead[]
  /** Further keys to verify `heads`, from before the master key was replaced. */
  keysOfHeads?: readonly VerifyingKey[]
  /** The keys derived from the master key: keys in the database are not trusted. */
  keys: readonly VerifyingKey[]
  report: ReportFindings
}

/** Checks the chains against the entries, in one snapshot of the database; resolves to the number of records. */
export async function verifyDatabase({ client, organization, heads, ...options }: Options): Promise<number> {
  await client.query(beginSnapshot)
  const ofHeads = Map.groupBy(heads, ({ organizationId }) => organizationId)
  let records = 0
  const check = async (organizationId: string) => {
    records += await verifyOrganization({
      ...options,
      client,
      organizationId,
      heads: ofHeads.get(organizationId) ?? [],
    })
    ofHeads.delete(organizationId)
  }
  if (organization !== null) await check(organization)
  else
    for (let id = await findNextOrganization(client, ''); id !== null; id = await findNextOrganization(client, id)) {
      if (ofHeads.has(id) || !(await isUnfinishedCopy(client, id))) await check(id)
      else
        printNote(
          `The organization ${id} was not checked: it is being moved here, or its move did not finish. If no move is running, run the move again.`,
        )
    }
  // The organizations that are left have heads, but no entries and no links any more.
  for (const organizationId of ofHeads.keys()) if (organization === null) await check(organizationId)
  await client.query('commit')
  return records
}

/** Finds the next organization with entries, or with a chain. */
async function findNextOrganization(client: pg.Client, after: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string | null }>(
    `select least((select min(organization_id) from audit_chain where organization_id > $1),
                  (select min(organization_id) from audit_link where organization_id > $1),
                  (select min(organization_id) from audit_event where organization_id > $1)) as id`,
    [after],
  )
  return rows[0]?.id ?? null
}

/**
 * Whether the organization has only rows that `org:move` copies before the switch. Its chain arrives with the switch. The same
 * is left if somebody deletes both the organization and its chain, which only a head that was stored elsewhere reveals.
 */
async function isUnfinishedCopy(client: pg.Client, organizationId: string): Promise<boolean> {
  const { rows } = await client.query<{ isCopy: boolean }>(
    `select not exists (select from organization where organization_id = $1)
            and not exists (select from audit_chain where organization_id = $1) as "isCopy"`,
    [organizationId],
  )
  return rows[0]?.isCopy ?? false
}

type OrganizationOptions = Omit<Options, 'organization'> & { organizationId: string }

async function verifyOrganization(options: OrganizationOptions): Promise<number> {
  const { client, keys, keysOfHeads = [], report, organizationId, heads } = options
  const allKeys = [...keys, ...keysOfHeads]
  const chain = await readChain(client, organizationId)
  const cut = chain && toSignedCut(organizationId, chain)
  const head = chain && toHead(organizationId, chain)
  // Ignores the key that the head names: stored heads are signed with our keys.
  const checkStoredHead = (kind: 'head' | 'cut', stored: SignedHead): Finding | null => {
    const wrong = findSignatureFault(kind, stored, keys)
    return wrong && { ...wrong, kind: 'changed' }
  }
  const checkedHeads = [
    ...(head ? [{ head, wrong: checkStoredHead('head', head) }] : []),
    ...heads.map((each) => ({ head: each, wrong: findSignatureFault('head', each, allKeys) })),
  ]
  const wrongCut = cut && checkStoredHead('cut', cut)
  const isCut = cut !== null && wrongCut === null
  await report(
    organizationId,
    [wrongCut, ...checkedHeads.map(({ wrong }) => wrong)].filter((finding) => finding !== null),
  )
  const trusted = checkedHeads.filter(({ wrong }) => wrong === null).map(({ head }) => head)
  // Heads before the cut cannot be compared, because their links were deleted after the retention time.
  const known = trusted.filter(({ position }) => !isCut || position >= cut.position)
  const verifier = new ChainVerifier(organizationId, isCut ? cut : null, known)
  let records = 0
  for (let after = isCut ? cut.position : 0; ; ) {
    const links = await readLinks(client, organizationId, after)
    const last = links.at(-1)
    if (last === undefined) break
    for (const link of links) verifier.add(link)
    records += links.length
    after = last.position
    await report(organizationId, verifier.take())
  }
  const signedUntil = head?.position ?? cut?.position ?? 0
  verifier.end()
  await report(organizationId, verifier.take())
  if (verifier.position > signedUntil)
    await report(organizationId, [toRangeFinding('inserted', signedUntil + 1, verifier.position)])
  await findUnchainedEntries(client, organizationId, report)
  return records
}

function toRangeFinding(kind: 'inserted', from: number, to: number): Finding {
  return { kind, position: from, id: null, ...(to !== from && { until: to }) }
}

const pageRows = 10_000

type UnchainedEntries = { last: string | null; unknown: { id: string; position: number | null }[] }

/** Reports entries that are neither chained nor listed to be chained, and listed entries that are missing. */
async function findUnchainedEntries(client: pg.Client, organizationId: string, report: ReportFindings): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    const { rows }: { rows: UnchainedEntries[] } = await client.query<UnchainedEntries>(findUnchainedSql, [
      organizationId,
      after,
      pageRows,
    ])
    const { last, unknown } = rows[0] as UnchainedEntries
    await report(
      organizationId,
      unknown.map(({ id, position }) => ({ kind: position === null ? 'inserted' : 'changed', position, id })),
    )
    after = last
  }
  const { rows } = await client.query<{ id: string }>(
    `select audit_event_id as id
       from audit_event_unchained listed
      where organization_id = $1
        and not exists (select from audit_event entry
                         where entry.organization_id = $1 and entry.audit_event_id = listed.audit_event_id)
      order by id limit $2`,
    [organizationId, pageRows],
  )
  await report(
    organizationId,
    rows.map(({ id }) => ({ kind: 'missing', position: null, id })),
  )
}

/**
 * SQL: finds the entries of a page that are neither chained nor listed. If `position` is set, the link there has the hash of
 * another state of the entry: the outcome was added without being listed.
 */
const findUnchainedSql = `
  with page as materialized (
    select audit_event_id as id, outcome from audit_event
     where organization_id = $1 and audit_event_id > $2 order by audit_event_id limit $3),
  unknown as (
    select id, (select min(position) from audit_link link
                 where link.organization_id = $1 and link.audit_event_id = page.id) as position
      from page
     where not exists (select from audit_link link
                        where link.organization_id = $1 and link.audit_event_id = page.id
                          and link.is_pending = (page.outcome = 'pending'))
       and not exists (select from audit_event_unchained listed
                        where listed.organization_id = $1 and listed.audit_event_id = page.id)
       and not exists (select from audit_chain chain
                        where chain.organization_id = $1 and page.id > chain.swept_until))
  select (select max(id) from page) as last,
         coalesce((select json_agg(json_build_object('id', id, 'position', position) order by id) from unknown), '[]') as unknown`
