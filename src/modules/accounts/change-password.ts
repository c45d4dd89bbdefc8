import { hashPassword, isPassword, newPassword } from '../../access/password.ts'
import { validationError } from '../../core/errors.ts'
import { storableText } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { endSignIns, lockActingUser } from '../users/user.ts'

/** Ends all of the person's tokens and sessions, including the caller's. */
export const changePassword = defineUserWrite({
  name: 'changePassword',
  summary: 'Change your password. Ends all your tokens and sessions, including this one.',
  method: 'POST',
  route: '/user/password',
  status: 204,
  recordedIn: 'none',
  input: defineInput(
    { current_password: storableText(4096).max(4096).describe('the current password'), new_password: newPassword() },
    { unknown: 'ignore' },
  ),
  answer: null,
  refusals: ['RATE_LIMITED'],
  // Runs before the transaction, because hashing takes long, and a failed attempt must still be counted.
  async prepare({ database: { prisma }, inTurn, user, input, identity, origin: { ip } }) {
    // Checks the sign-in first: a caller whose sign-in has ended must not learn whether a password is right.
    const { id, email } = await inTurn(() => prisma.$transaction((tx) => lockActingUser(tx, user)))
    await identity.throttle.countSignIn({ email: email ?? id, ip })
    const stored = await inTurn(() => prisma.userPassword.findUnique({ where: { userId: id } }))
    const sender = { ip, person: id }
    const isRight = await identity.passwords.run(sender, () => isPassword(input.current_password, stored?.hash ?? null))
    if (!isRight) {
      const reason = stored
        ? 'is not the password of this account'
        : 'is not needed: this account signs in with an identity provider'
      throw validationError([{ path: 'current_password', message: `current_password ${reason}.` }])
    }
    return identity.passwords.run(sender, () => hashPassword(input.new_password))
  },
  async run({ tx, now, user, prepared: hash }) {
    const account = await lockActingUser(tx, user)
    const { id } = account
    await tx.userPassword.update({ where: { userId: id }, data: { hash, changedAt: now } })
    await endSignIns(tx, id)
    return { result: account }
  },
})
