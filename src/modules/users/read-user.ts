import { noInput } from '../../core/input.ts'
import { defineUserRead } from '../../operation/operation.ts'
import { loadUser, type User, userAnswer } from './user.ts'

export const readUser = defineUserRead({
  name: 'user',
  summary: 'Read your own account.',
  route: '/user',
  input: noInput,
  answer: userAnswer,
  refusals: ['NOT_FOUND'],
  run: ({ db, user }): Promise<User> => loadUser(db, user.userId),
})
