import type { z } from 'zod'
import { hashToken, newToken } from '../../access/token.ts'
import { defineAnswer, fieldFrom, pageOf } from '../../core/answer.ts'
import { idField, textField, timeField } from '../../core/answer-fields.ts'
import { type DomainError, notFound } from '../../core/errors.ts'
import { note } from '../../core/field-type.ts'
import { storableText } from '../../core/fields.ts'
import { newId } from '../../core/ids.ts'
import type { Vault } from '../../core/vault.ts'
import type { Invite as InviteRow } from '../../database/generated/client.ts'
import type { Transaction } from '../../database/transaction.ts'
import { defineFields } from '../../database/written-fields.ts'
import { role } from '../members/member.ts'
import { email } from '../users/user.ts'

/** A link that lets one person join, until it expires. */
export type Invite = InviteRow & { link: string | null }

export const inviteFields = defineFields('Invite', {
  role: { input: role(), answer: role().describe('The role of the new member.') },
  email: {
    input: note(email().nullable().optional(), {
      meaning: 'A note for the list of invites. It does not limit who can use the link.',
    }),
    answer: textField(1, 254).nullable().describe('The e-mail, as a note. It does not limit who can use the link.'),
  },
})

export const inviteAnswer = defineAnswer<Invite>(
  'Invite',
  'A link with which one person can join the organization until it expires.',
  {
    invite_id: fieldFrom('id', idField().describe('The id of the invite.')),
    ...inviteFields.answer,
    link: note(
      textField(1, 4096)
        .nullable()
        .describe(
          'The link to send to the person. Null if the master key has been lost since then; a link that was sent before still works.',
        ),
      { isSecret: true },
    ),
    expires_at: timeField().describe('When the invite expires.'),
    created_at: timeField().describe('When it was created.'),
  },
)

export const invitesAnswer = pageOf('invites', inviteAnswer)

/** The token of a link. Any text is valid input, but only text that matches the pattern can belong to an invite. */
export function inviteToken() {
  return storableText(53).describe('the token of an invite: inv_…').meta({ pattern: '^inv_[0-9A-Za-z]{49}$' })
}

const lifetimeMs = 7 * 86_400_000
const purpose = 'invite-token'

type InviteInput = z.output<z.ZodObject<typeof inviteFields.input>>

export type LinkContext = { vault: Vault; baseUrl: string }

export async function addInvite(
  tx: Transaction,
  links: LinkContext,
  { organizationId, now, input }: { organizationId: string; now: Date; input: InviteInput },
): Promise<Invite & { link: string }> {
  const { text: token, hash } = newToken('inv')
  const id = newId()
  const row = await tx.invite.create({
    data: {
      organizationId,
      id,
      ...inviteFields.toNewRow(input),
      hash: new Uint8Array(hash),
      encryptedToken: links.vault.encrypt(purpose, ownerOf({ organizationId, id }), token),
      expiresAt: new Date(now.getTime() + lifetimeMs),
      createdAt: now,
    },
  })
  return { ...row, link: toLink(links, token) }
}

export function toInvite(row: InviteRow, links: LinkContext): Invite {
  try {
    return { ...row, link: toLink(links, links.vault.decrypt(purpose, ownerOf(row), row.encryptedToken)) }
  } catch {
    // The token was encrypted with a master key that was lost.
    return { ...row, link: null }
  }
}

/** The token follows a #, so that browsers do not send it. */
function toLink({ baseUrl }: LinkContext, token: string): string {
  return `${baseUrl}/join#${token}`
}

function ownerOf({ organizationId, id }: { organizationId: string; id: string }): string {
  return `${organizationId}/${id}`
}

/** Loads the invite with this token, expired or not; 404 if there is none. */
export async function loadInviteByToken(tx: Transaction, token: string): Promise<InviteRow> {
  const hash = hashToken('inv', token)
  const invite = hash && (await tx.invite.findUnique({ where: { hash: new Uint8Array(hash) } }))
  if (!invite) throw unknownInvite()
  return invite
}

/** Uses up the invite for this person. If two people join at once, the second waits and then gets 404. */
export async function useInvite(tx: Transaction, { organizationId, id }: InviteRow, userId: string): Promise<void> {
  const count = await tx.$executeRaw`
    delete from invite
     where organization_id = ${organizationId} and invite_id = ${id} and expires_at > clock_timestamp()
       and (bound_user_id is null or bound_user_id = ${userId})`
  if (count === 0) throw unknownInvite()
}

/** Binds the invite to the account that signs up with it; 404 if it is bound to another account or no longer valid. */
export async function bindInvite(tx: Transaction, token: string, userId: string): Promise<void> {
  const { organizationId, id } = await loadInviteByToken(tx, token)
  const count = await tx.$executeRaw`
    update invite set bound_user_id = ${userId}
     where organization_id = ${organizationId} and invite_id = ${id} and expires_at > clock_timestamp()
       and bound_user_id is null`
  if (count === 0) throw unknownInvite()
}

/** Frees the invite of a deleted account for anyone who has the link. */
export async function unbindInvites(tx: Transaction, userId: string): Promise<void> {
  await tx.invite.updateMany({ where: { boundUserId: userId }, data: { boundUserId: null } })
}

/** The refusal of an invite. It does not contain the token. */
export function unknownInvite(): DomainError {
  return notFound('invite', null, 'This invite is unknown, used, expired or revoked. Ask for another one.')
}
