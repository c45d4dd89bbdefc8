import { optionalFields } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { toColumns } from '../../core/names.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { lockActingUser, userAnswer, userFields } from './user.ts'

/** Changes the name for organizations that the person joins later. Existing members keep their names. */
export const updateUser = defineUserWrite({
  name: 'updateUser',
  summary: 'Change the display name of your account.',
  method: 'PATCH',
  route: '/user',
  status: 200,
  recordedIn: 'user',
  input: defineInput(optionalFields(userFields.input), { unknown: 'ignore' }),
  answer: userAnswer,
  async run({ tx, now, user, input }) {
    const account = await lockActingUser(tx, user)
    if (!describeChanges(account, input)) return { result: account }
    const data = { ...toColumns(input), updatedAt: nextUpdatedAt(account, now) }
    return { result: await tx.userAccount.update({ where: { id: user.userId }, data }) }
  },
})
