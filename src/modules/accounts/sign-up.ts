import { hashPassword, newPassword } from '../../access/password.ts'
import { countSignInAttempt } from '../../access/sign-in-throttle.ts'
import { conflict, validationError } from '../../core/errors.ts'
import { note } from '../../core/field-type.ts'
import { text } from '../../core/fields.ts'
import { newUserId } from '../../core/ids.ts'
import { defineInput } from '../../core/input.ts'
import { defineSignIn } from '../../operation/operation.ts'
import { bindInvite, inviteToken } from '../invites/invite.ts'
import { email, type SignedIn, toEmailKey, tokenAnswer } from '../users/user.ts'

/**
 * Creates a local account. If people must be invited, the invite is bound to the account: only that account may join with it.
 */
export const signUp = defineSignIn({
  name: 'signUp',
  summary: 'Sign up with an e-mail and a password.',
  route: '/user/sign-up',
  status: 201,
  input: defineInput(
    {
      email: email(),
      password: newPassword(),
      display_name: text(1, 255),
      invite: note(inviteToken().optional(), { meaning: 'Required where people sign up by invitation.' }),
    },
    { unknown: 'ignore' },
  ),
  answer: tokenAnswer,
  refusals: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
  async run({ database, input, identity, ip }): Promise<SignedIn> {
    const isInvited = identity.signUp === 'invited'
    if (isInvited && input.invite === undefined) {
      throw validationError([{ path: 'invite', message: 'invite is required: the token of an invite, inv_….' }])
    }
    await countSignInAttempt(database, { email: input.email, ip })
    const hash = await identity.passwords.run(ip, () => hashPassword(input.password))
    const userId = newUserId()

    return database.prisma.$transaction(async (tx) => {
      const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`
      const { now } = clock as { now: Date }
      if (isInvited) await bindInvite(tx, input.invite ?? '', userId)
      const [account] = await tx.userAccount.createManyAndReturn({
        data: {
          id: userId,
          email: input.email,
          emailKey: toEmailKey(input.email),
          displayName: input.display_name,
          createdAt: now,
          updatedAt: now,
        },
        skipDuplicates: true,
        select: { tokenGeneration: true },
      })
      if (!account) {
        throw conflict({ field: 'email', value: input.email }, 'There is an account with this e-mail. Sign in instead.')
      }
      await tx.userPassword.create({ data: { userId, hash, changedAt: now } })
      return { userId, tokenGeneration: account.tokenGeneration, now }
    })
  },
})
