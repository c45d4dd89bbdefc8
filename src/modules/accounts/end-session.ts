import { notFound } from '../../core/errors.ts'
import { noInput } from '../../core/input.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { lockActingUser } from '../users/user.ts'
import { endUserSessions, loadUserSessions } from './user-session.ts'

/** Throws 404 for a session of another person, and for a session that has ended. */
export const endSession = defineUserWrite({
  name: 'endSession',
  summary: 'End one of your sessions, with the console sessions opened under it.',
  method: 'DELETE',
  route: '/user/sessions/{id}',
  status: 204,
  recordedIn: 'user',
  input: noInput,
  answer: null,
  async run({ tx, user, path: { id } }) {
    const { id: userId } = await lockActingUser(tx, user)
    const sessions = await loadUserSessions(tx, user)
    if (!sessions.some((session) => session.id === id)) throw notFound('session', id)
    await endUserSessions(tx, userId, [id])
    return { result: id }
  },
})
