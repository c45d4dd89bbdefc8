import { hashToken } from '../../access/token.ts'
import { defineAnswer } from '../../core/answer.ts'
import { nameField, timeField } from '../../core/answer-fields.ts'
import { defineInput } from '../../core/input.ts'
import type { Role } from '../../database/generated/enums.ts'
import { defineOpenRead } from '../../operation/operation.ts'
import { inviteToken, unknownInvite } from '../invites/invite.ts'
import { role } from '../members/member.ts'

/** The part of an invite that people with its link may see. */
export type Invitation = { organizationName: string; role: Role; expiresAt: Date }

export const invitationAnswer = defineAnswer<Invitation>(
  'Invitation',
  'The organization and the role that an invite is for.',
  {
    organization_name: nameField().describe('The name of the organization.'),
    role: role().describe('The role of the new member.'),
    expires_at: timeField().describe('When the invite expires.'),
  },
)

/** Has no REST route, because the token would be part of the URL, and so appear in logs. */
export const readInvitation = defineOpenRead({
  name: 'invitation',
  summary: 'Read the organization and the role that an invite is for, by the token of its link.',
  route: '/invitation',
  input: defineInput({ token: inviteToken() }, { unknown: 'ignore' }),
  answer: invitationAnswer,
  refusals: ['NOT_FOUND'],
  async run({ db, input }): Promise<Invitation> {
    const hash = hashToken('inv', input.token)
    if (!hash) throw unknownInvite()
    const [invitation] = await db.$queryRaw<Invitation[]>`
      select o.name as "organizationName", i.role::text as role, i.expires_at as "expiresAt"
        from invite i join organization o on o.organization_id = i.organization_id
       where i.token_hash = ${new Uint8Array(hash)} and i.expires_at > clock_timestamp()`
    if (!invitation) throw unknownInvite()
    return invitation
  },
})
