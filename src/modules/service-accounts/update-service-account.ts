import { waitForRunningWrites } from '../../access/rights.ts'
import { optionalFields } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { toColumns } from '../../core/names.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import { defineWrite } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { loadServiceAccount, serviceAccountAnswer, serviceAccountFields } from './service-account.ts'

/** The account's member also gets the new name. */
export const updateServiceAccount = defineWrite({
  name: 'updateServiceAccount',
  summary: 'Rename a service account.',
  method: 'PATCH',
  route: '/org/service-accounts/{service_account_id}',
  service: 'identity',
  labels: ['service-accounts:write'],
  adds: false,
  locks: 'organization',
  status: 200,
  input: defineInput(optionalFields(serviceAccountFields.input), { unknown: 'ignore' }),
  answer: serviceAccountAnswer,
  async run({ tx, now, organizationId, path, input }) {
    const account = await loadServiceAccount(tx, organizationId, path.service_account_id)
    const details = describeChanges(account, input)
    if (!details) return { result: account, details }

    const { id, memberId } = account
    await waitForRunningWrites(tx, [account])
    const updatedAt = nextUpdatedAt(account, now)
    const where = { organizationId_id: { organizationId, id } }
    const updated = await tx.serviceAccount.update({ where, data: { ...toColumns(input), updatedAt } })
    await tx.member.update({
      where: { organizationId_id: { organizationId, id: memberId } },
      data: { displayName: updated.name, updatedAt },
    })
    return { result: { ...account, ...updated }, details }
  },
})
