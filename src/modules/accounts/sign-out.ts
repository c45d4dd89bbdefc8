import { lockPerson } from '../../access/rights.ts'
import { noInput } from '../../core/input.ts'
import { viaPrisma } from '../../database/sql.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { endUserSessions } from './user-session.ts'

/** Ends the browser's sign-in and the console sessions opened under it. Does not end a Bearer token, which only expires. */
export const signOut = defineUserWrite({
  name: 'signOut',
  summary: "End this browser's sign-in and its console sessions.",
  method: 'POST',
  route: '/user/sign-out',
  status: 204,
  recordedIn: 'none',
  input: noInput,
  answer: null,
  async run({ tx, user: { userId, userSessionId } }) {
    if (userSessionId) {
      // Lock the row first: a concurrent sign-in to an organization waits, and then sees that this sign-in has ended.
      await lockPerson(viaPrisma(tx), userId)
      await endUserSessions(tx, userId, [userSessionId])
    }
    return { result: userId }
  },
})
