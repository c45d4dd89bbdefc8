import { defineAnswer, fieldFrom } from '../../core/answer.ts'
import { countField, idField, textField, timeField } from '../../core/answer-fields.ts'
import { noInput } from '../../core/input.ts'
import { deriveAuditKeys } from '../../database/master-key.ts'
import type { Queries } from '../../database/prisma.ts'
import { defineRead } from '../../operation/operation.ts'
import { type SignedHead, signHead } from '../../recording/chain/head.ts'
import { genesis } from '../../recording/chain/link.ts'

const maxCountedUnchained = 10_000

export const auditHeadAnswer = defineAnswer<SignedHead & { unchained: number }>(
  'AuditHead',
  "The signed head of the audit log's hash chain.",
  {
    organization_id: fieldFrom('organizationId', idField().describe('The organization whose log it is.')),
    position: countField().describe('The number of records in the chain.'),
    hash: textField(64, 64).describe(
      'The SHA-256 hash, in lower-case hex, of all records up to this position; 64 zeros if there are none.',
    ),
    signed_at: timeField().describe('When the service signed it.'),
    signature: textField(86, 86).describe(
      'The Ed25519 signature, in base64url, of `v1.<organization_id>.<position>.<hash>.<signed_at>`.',
    ),
    kid: textField(43, 43).describe(
      'The id of the signing key in `/.well-known/jwks.json`, whose `purpose` is `audit-head`.',
    ),
    unchained: countField()
      .max(maxCountedUnchained)
      .describe(
        `The number of entries that are not in the chain yet; ${maxCountedUnchained} means ${maxCountedUnchained} or more.`,
      ),
  },
)

type ChainRow = {
  position: bigint
  hash: string
  signedAt: Date | null
  signature: string | null
  kid: string | null
  /** True if no link was added after the signing key was lost. */
  isLost: boolean
  isSweeping: boolean
}

export const readAuditHead = defineRead({
  name: 'auditHead',
  summary: 'Read the signed head of the chain of the audit log.',
  route: '/org/audit-events/head',
  service: 'identity',
  labels: ['org:audit:read'],
  input: noInput,
  answer: auditHeadAnswer,
  async run({ db, organizationId, now, vault }) {
    const [row] = await db.$queryRaw<ChainRow[]>`
      select position, hash, signed_at as "signedAt", signature, kid, swept_until is not null as "isSweeping",
             coalesce(position = cut_position and signature = cut_signature, false) as "isLost"
        from audit_chain where organization_id = ${organizationId}`
    const unchained = await countUnchained(db, organizationId, row?.isSweeping ?? false)
    if (!row?.signedAt || row.isLost || row.signature === null || row.kid === null) {
      const emptyHead = { organizationId, position: 0, hash: genesis, signedAt: now }
      return { ...signHead('head', emptyHead, deriveAuditKeys(vault)[0]), unchained }
    }
    const { signedAt, signature, kid } = row
    return { organizationId, position: Number(row.position), hash: row.hash, signedAt, signature, kid, unchained }
  },
})

/**
 * Counts at most `maxCountedUnchained` entries. While older entries are being chained, only entries with later ids count as
 * unchained.
 */
async function countUnchained(db: Queries, organizationId: string, isSweeping: boolean): Promise<number> {
  const [counted] = isSweeping
    ? await db.$queryRaw<[{ count: number }]>`
        select count(*)::int as count
          from (select from audit_event
                 where organization_id = ${organizationId}
                   and audit_event_id > (select swept_until from audit_chain where organization_id = ${organizationId})
                 limit ${maxCountedUnchained}) unchained`
    : await db.$queryRaw<[{ count: number }]>`
        select count(*)::int as count
          from (select from audit_event_unchained listed join audit_event entry using (organization_id, audit_event_id)
                 where organization_id = ${organizationId}
                   and not exists (select from audit_link link
                                    where entry.outcome = 'pending' and link.organization_id = ${organizationId}
                                      and link.audit_event_id = listed.audit_event_id and link.is_pending)
                 limit ${maxCountedUnchained}) unchained`
  return counted.count
}
