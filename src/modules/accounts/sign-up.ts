import { rememberNetwork } from '../../access/known-devices.ts'
import { hashPassword, newPassword } from '../../access/password.ts'
import { conflict, validationError } from '../../core/errors.ts'
import { note } from '../../core/field-type.ts'
import { newUserId } from '../../core/ids.ts'
import { defineInput } from '../../core/input.ts'
import { toColumns } from '../../core/names.ts'
import { defineSignIn } from '../../operation/operation.ts'
import { bindInvite, inviteToken } from '../invites/invite.ts'
import { email, type SignedIn, toEmailKey, tokenAnswer, userFields } from '../users/user.ts'

/**
 * Creates a local account. If sign-up needs an invite, binds the invite to the account: only that account may join with it.
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
      ...userFields.input,
      invite: note(inviteToken().optional(), { meaning: 'Required if people sign up only by invitation.' }),
    },
    { unknown: 'ignore' },
  ),
  answer: tokenAnswer,
  refusals: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
  async run({ database, inTurn, input, identity, sender: { ip } }): Promise<SignedIn> {
    const { email, password, invite, ...written } = input
    const isInvited = identity.signUp === 'invited'
    if (isInvited && invite === undefined) {
      throw validationError([{ path: 'invite', message: 'invite is required: the token of an invite, inv_….' }])
    }
    await identity.throttle.countSignIn({ email, ip })
    const hash = await identity.passwords.run({ ip, person: null }, () => hashPassword(password))
    const userId = newUserId()

    const signedIn = await inTurn(() =>
      database.prisma.$transaction(async (tx) => {
        const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`
        const { now } = clock as { now: Date }
        if (isInvited) await bindInvite(tx, invite ?? '', userId)
        const [account] = await tx.userAccount.createManyAndReturn({
          data: {
            id: userId,
            email,
            emailKey: toEmailKey(email),
            ...toColumns(written),
            createdAt: now,
            updatedAt: now,
          },
          skipDuplicates: true,
          select: { tokenGeneration: true },
        })
        if (!account) {
          throw conflict({ field: 'email', value: email }, 'There is an account with this e-mail. Sign in instead.')
        }
        await tx.userPassword.create({ data: { userId, hash, changedAt: now } })
        return { userId, tokenGeneration: account.tokenGeneration, now }
      }),
    )
    await inTurn(() => rememberNetwork(database, userId, ip))
    return signedIn
  },
})
