import { rememberNetwork } from '../../access/known-devices.ts'
import { isPassword } from '../../access/password.ts'
import { unauthorized } from '../../core/errors.ts'
import { storableText } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { networkOf } from '../../core/network.ts'
import { defineSignIn } from '../../operation/operation.ts'
import { maxEmailLength, type SignedIn, toEmailKey, tokenAnswer } from '../users/user.ts'

type Account = {
  user_id: string
  token_generation: string
  password_hash: string
  is_known_network: boolean
  now: Date
}

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
  refusals: ['UNAUTHORIZED', 'NOT_FOUND', 'RATE_LIMITED'],
  async run({ database, inTurn, input, identity, sender: { ip, browserMark } }): Promise<SignedIn> {
    await identity.throttle.countSignIn({ email: input.email, ip })
    const { rows } = await inTurn(() =>
      database.pool.query<Account>(
        `select u.user_id, u.token_generation, p.password_hash, clock_timestamp() as now,
                exists (select from sign_in_network n where n.user_id = u.user_id and n.network = $2) as is_known_network
           from user_account u join user_password p on p.user_id = u.user_id
          where u.email_key = $1`,
        [toEmailKey(input.email), networkOf(ip)],
      ),
    )
    const [account] = rows
    // A wrong e-mail and a wrong password lead to the same answer, after the same work.
    const stored = account?.password_hash ?? null
    const isKnownDevice = account && (account.is_known_network || identity.marks.is(browserMark, account.user_id))
    const sender = { ip, person: isKnownDevice ? account.user_id : null }
    const isRight = await identity.passwords.run(sender, () => isPassword(input.password, stored))
    if (!account || !isRight) throw unauthorized('The e-mail or the password is wrong.')
    await inTurn(() => rememberNetwork(database, account.user_id, ip))
    return { userId: account.user_id, tokenGeneration: account.token_generation, now: account.now }
  },
})
