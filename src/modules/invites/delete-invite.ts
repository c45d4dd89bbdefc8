import { notFound } from '../../core/errors.ts'
import { isUlid } from '../../core/ids.ts'
import { noInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'

/** Revokes the invite, so that nobody can join with its link. */
export const deleteInvite = defineWrite({
  name: 'deleteInvite',
  summary: 'Revoke an invite.',
  method: 'DELETE',
  route: '/org/invites/{invite_id}',
  service: 'identity',
  labels: ['invites:write'],
  status: 204,
  input: noInput,
  answer: null,
  async run({ tx, now, organizationId, path: { invite_id: id } }) {
    const { count } = isUlid(id)
      ? await tx.invite.deleteMany({ where: { organizationId, id, expiresAt: { gt: now } } })
      : { count: 0 }
    if (count === 0) throw notFound('invite', id)
    return { result: id, details: null }
  },
})
