import { StartupError } from '../core/startup-error.ts'
import { resetPassword } from '../modules/accounts/reset-password.ts'
import { command, printFromTransaction, run } from './command.ts'

await run(
  command('user:reset-password')
    .description(
      'Gives the account with this e-mail a new password, and prints it once. All its tokens and sessions end.',
    )
    .requiredOption('--email <email>', 'the e-mail of the account')
    .option('--json', 'print JSON')
    .action(({ email, json }) =>
      printFromTransaction(async ({ tx, now }) => {
        const reset = await resetPassword(tx, { email, now })
        if (!reset) throw new StartupError(`There is no account with the e-mail ${JSON.stringify(email)}.`)
        const { userId, password } = reset
        if (json) return JSON.stringify({ user_id: userId, password }, null, 2)
        return `The new password of ${email}, shown only once:\n\n  ${password}\n\nSign in with it, then change it.`
      }),
    ),
)
