import { noInput } from '../../core/input.ts'
import { defineUserRead } from '../../operation/operation.ts'
import { loadUserSessions, type UserSession, userSessionsAnswer } from './user-session.ts'

export const listUserSessions = defineUserRead({
  name: 'sessions',
  summary: 'List your sessions, newest first.',
  route: '/user/sessions',
  input: noInput,
  answer: userSessionsAnswer,
  run: ({ db, user }): Promise<UserSession[]> => loadUserSessions(db, user),
})
