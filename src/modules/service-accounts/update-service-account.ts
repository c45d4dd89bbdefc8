import { letWritesEnd } from '../../access/rights.ts'
import { text } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import { defineWrite } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { loadServiceAccount, serviceAccountAnswer } from './service-account.ts'

/** Its member is shown under the new name too. */
export const updateServiceAccount = defineWrite({
  name: 'updateServiceAccount',
  summary: 'Rename a service account.',
  method: 'PATCH',
  route: '/org/service-accounts/{service_account_id}',
  service: 'identity',
  labels: ['service-accounts:write'],
  locks: 'organization',
  status: 200,
  input: defineInput({ name: text(1, 255).optional() }, { unknown: 'ignore' }),
  answer: serviceAccountAnswer,
  async run({ tx, now, organizationId, path, input: { name } }) {
    const account = await loadServiceAccount(tx, organizationId, path.service_account_id)
    const details = name === undefined ? null : describeChanges({ name: account.name }, { name })
    if (name === undefined || !details) return { result: account, details }

    const { id, memberId } = account
    await letWritesEnd(tx, [account])
    const updatedAt = nextUpdatedAt(account, now)
    const where = { organizationId_id: { organizationId, id } }
    await tx.serviceAccount.update({ where, data: { name, updatedAt } })
    await tx.member.update({
      where: { organizationId_id: { organizationId, id: memberId } },
      data: { displayName: name, updatedAt },
    })
    return { result: { ...account, name, updatedAt }, details }
  },
})
