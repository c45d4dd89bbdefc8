import { noInput } from '../../core/input.ts'
import { defineUserRead } from '../../operation/operation.ts'
import { loadUser, type User } from './user.ts'

export const readUser = defineUserRead({
  name: 'user',
  route: '/user',
  input: noInput,
  run: ({ db, user }): Promise<User> => loadUser(db, user.userId),
})
