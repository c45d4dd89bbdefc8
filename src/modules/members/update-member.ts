import { letWritesEnd } from '../../access/rights.ts'
import { text } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import { defineWrite } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { assertAdminStays, endConsoleSessions, loadMember, memberAnswer, memberStatus, role } from './member.ts'

/** What changes holds from the member's next request on, in every process. */
export const updateMember = defineWrite({
  name: 'updateMember',
  summary: 'Change the role, status or display name of a member.',
  method: 'PATCH',
  route: '/org/members/{member_id}',
  service: 'identity',
  labels: ['members:write'],
  locks: 'organization',
  status: 200,
  input: defineInput(
    {
      role: role().optional(),
      status: memberStatus().optional(),
      display_name: text(1, 255).optional(),
    },
    { unknown: 'ignore' },
  ),
  answer: memberAnswer,
  refusals: ['CONFLICT'],
  async run({ tx, now, organizationId, path, input }) {
    const member = await loadMember(tx, organizationId, path.member_id)
    const { role, status, displayName } = member
    const details = describeChanges({ role, status, display_name: displayName }, input)
    if (!details) return { result: member, details }

    if (input.role && input.role !== 'admin') await assertAdminStays(tx, member, { field: 'role', value: input.role })
    if (input.status === 'disabled') await assertAdminStays(tx, member, { field: 'status', value: input.status })
    await letWritesEnd(tx, [{ organizationId, memberId: member.id }])
    const { display_name: newName, ...rest } = input
    const updated = await tx.member.update({
      where: { organizationId_id: { organizationId, id: member.id } },
      data: {
        ...rest,
        ...(newName !== undefined && { displayName: newName }),
        updatedAt: nextUpdatedAt(member, now),
      },
    })
    // Those that come back are to sign in again.
    if (updated.status === 'disabled') await endConsoleSessions(tx, member)
    return { result: { ...updated, email: member.email }, details }
  },
})
