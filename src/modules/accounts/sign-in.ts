import { isPassword } from '../../access/password.ts'
import { countSignInAttempt } from '../../access/sign-in-throttle.ts'
import { unauthorized } from '../../core/errors.ts'
import { storableText } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { defineSignIn } from '../../operation/operation.ts'
import { maxEmailLength, type SignedIn, toEmailKey, tokenAnswer } from '../users/user.ts'

type Account = { user_id: string; token_generation: string; password_hash: string; now: Date }

export const signIn = defineSignIn({
  name: 'signIn',
  summary: 'Sign in with an e-mail and a password.',
  route: '/user/sign-in',
  status: 200,
  input: defineInput(
    {
      email: storableText(maxEmailLength).describe('the e-mail of the account'),
      password: storableText(4096).max(4096).describe('the password of the account'),
    },
    { unknown: 'ignore' },
  ),
  answer: tokenAnswer,
  refusals: ['UNAUTHORIZED', 'RATE_LIMITED'],
  async run({ database, input, identity, ip }): Promise<SignedIn> {
    await countSignInAttempt(database, { email: input.email, ip })
    const { rows } = await database.pool.query<Account>(
      `select u.user_id, u.token_generation, p.password_hash, clock_timestamp() as now
         from user_account u join user_password p on p.user_id = u.user_id
        where u.email_key = $1`,
      [toEmailKey(input.email)],
    )
    const [account] = rows
    // The same answer, after the same work, whether the e-mail or the password is wrong.
    const stored = account?.password_hash ?? null
    const isRight = await identity.passwords.run(ip, () => isPassword(input.password, stored))
    if (!account || !isRight) throw unauthorized('The e-mail or the password is wrong.')
    return { userId: account.user_id, tokenGeneration: account.token_generation, now: account.now }
  },
})
