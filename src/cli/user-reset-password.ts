import { StartupError } from '../core/startup-error.ts'
import { resetPassword } from '../modules/accounts/reset-password.ts'
import { runCommand } from './command.ts'

await runCommand({
  help: `Usage: npm run user:reset-password -- --email E [--json]

Gives the account with this e-mail a new password, and prints it once. All its tokens and sessions end.

  --email E   the e-mail of the account
  --json      print JSON`,
  options: { email: { type: 'string' }, json: { type: 'boolean' } },
  check({ email }) {
    if (!email) throw new StartupError('--email is required: the e-mail of the account.')
  },
  async run({ tx, now, options: { email = '', json } }) {
    const reset = await resetPassword(tx, { email, now })
    if (!reset) throw new StartupError(`There is no account with the e-mail ${JSON.stringify(email)}.`)
    const { userId, password } = reset
    if (json) return JSON.stringify({ user_id: userId, password }, null, 2)
    return `The new password of ${email}, shown this once:\n\n  ${password}\n\nSign in with it, then change it.`
  },
})
