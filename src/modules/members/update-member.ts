import { waitForRunningWrites } from '../../access/rights.ts'
import { optionalFields } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { toColumns } from '../../core/names.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import { assertUnchanged, expectedUpdatedAt } from '../../operation/expected-updated-at.ts'
import { defineWrite } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { assertAdminStays, endConsoleSessions, loadMember, memberAnswer, memberFields } from './member.ts'

/** A change takes effect with the member's next request, in every process. */
export const updateMember = defineWrite({
  name: 'updateMember',
  summary: 'Change the role, status or display name of a member.',
  method: 'PATCH',
  route: '/org/members/{member_id}',
  service: 'identity',
  labels: ['members:write'],
  adds: false,
  locks: 'organization',
  status: 200,
  input: defineInput(
    { ...optionalFields(memberFields.input), expected_updated_at: expectedUpdatedAt('member') },
    { unknown: 'ignore' },
  ),
  answer: memberAnswer,
  refusals: ['CONFLICT'],
  async run({ tx, now, organizationId, path, input: { expected_updated_at, ...input } }) {
    const member = await loadMember(tx, organizationId, path.member_id)
    assertUnchanged('member', member, expected_updated_at)
    const details = describeChanges(member, input)
    // Disabled manually: no group may enable the member again.
    const becomesManual = input.status === 'disabled' && member.disabledByGroup
    if (!details && !becomesManual) return { result: member, details }

    if (input.role && input.role !== 'admin') await assertAdminStays(tx, member, { field: 'role', value: input.role })
    if (input.status === 'disabled') await assertAdminStays(tx, member, { field: 'status', value: input.status })
    await waitForRunningWrites(tx, [{ organizationId, memberId: member.id }])
    const updated = await tx.member.update({
      where: { organizationId_id: { organizationId, id: member.id } },
      data: {
        ...toColumns(input),
        ...(input.status !== undefined && { disabledByGroup: false }),
        ...(details && { updatedAt: nextUpdatedAt(member, now) }),
      },
    })
    // A member who is enabled again must sign in again.
    if (updated.status === 'disabled') await endConsoleSessions(tx, member)
    return { result: { ...updated, email: member.email }, details }
  },
})
