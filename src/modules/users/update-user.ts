import { text } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { lockActingUser, userAnswer } from './user.ts'

/** The name that organizations joined from now on show; members keep theirs. */
export const updateUser = defineUserWrite({
  name: 'updateUser',
  summary: 'Change the display name of your account.',
  method: 'PATCH',
  route: '/user',
  status: 200,
  recordedIn: 'user',
  input: defineInput({ display_name: text(1, 255).optional() }, { unknown: 'ignore' }),
  answer: userAnswer,
  async run({ tx, now, user, input }) {
    const account = await lockActingUser(tx, user)
    const { display_name: displayName } = input
    if (displayName === undefined || displayName === account.displayName) return { result: account }
    const updatedAt = nextUpdatedAt(account, now)
    return { result: await tx.userAccount.update({ where: { id: user.userId }, data: { displayName, updatedAt } }) }
  },
})
