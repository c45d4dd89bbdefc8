import { waitForRunningWrites } from '../../access/rights.ts'
import { noInput } from '../../core/input.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { lockActingUser } from '../users/user.ts'

/** A call with a Bearer token, which has no session, ends all sessions. */
export const endOtherSessions = defineUserWrite({
  name: 'endOtherSessions',
  summary: 'End all your sessions except the one that you are using.',
  method: 'DELETE',
  route: '/user/sessions',
  status: 204,
  recordedIn: 'user',
  input: noInput,
  answer: null,
  async run({ tx, user }) {
    const { id: userId } = await lockActingUser(tx, user)
    const { userSessionId: current } = user
    await waitForRunningWrites(tx, await tx.userMembership.findMany({ where: { userId } }))
    await tx.userSession.deleteMany({ where: { userId, ...(current !== null && { id: { not: current } }) } })
    const isOther = { OR: [{ userSessionId: null }, { userSessionId: { not: current } }] }
    await tx.consoleSession.deleteMany({ where: { userId, ...isOther } })
    return { result: userId }
  },
})
