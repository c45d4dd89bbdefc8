import { createInterface } from 'node:readline/promises'
import { Option } from '@commander-js/extra-typings'
import { type Config, loadConfig } from '../config.ts'
import { print, printNote } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import { connectDatabase, type Database } from '../database/client.ts'
import { createVaultForLostKey, openVault } from '../database/master-key.ts'
import { command, run } from './command.ts'
import { countLostValues, replaceLostKey } from './replace-lost-key.ts'
import { rotateMasterKey } from './rotate-master-key.ts'
import { withMigratedDatabase } from './with-database.ts'
import { withProgress } from './with-progress.ts'

const oldKeyHint = 'If they were started with the old key, their environment still has it, and nothing is lost.'

await run(
  command('master-key:rotate')
    .usage('[--compromised | --lost [--yes]]')
    .description(
      'Encrypts with MASTER_KEY everything that MASTER_KEY_PREVIOUS encrypted, and signs the heads of audit logs again. Run it with the same two variables, after all processes use the new key as MASTER_KEY and the old one as MASTER_KEY_PREVIOUS. It may run beside the server, be stopped at any time, and be repeated.',
    )
    .option('--compromised', 'the old key may be known to others: its public keys are no longer listed')
    .addOption(
      new Option(
        '--lost',
        'the old key is lost: makes MASTER_KEY, or a new key in the data folder, the key of the database. Lists what is lost, and asks before it changes anything. Stop all processes first',
      ).conflicts('compromised'),
    )
    .option('--yes', 'with --lost: does not ask')
    .action(async ({ compromised = false, lost = false, yes = false }) => {
      if (yes && !lost) throw new StartupError('--yes is for --lost.')
      const config = loadConfig(process.env)
      const { masterKeyPrevious } = config
      if (lost && masterKeyPrevious)
        throw new StartupError(
          'MASTER_KEY_PREVIOUS is set, so the old key is not lost: remove --lost, or the variable.',
        )
      if (!lost && !masterKeyPrevious) {
        throw new StartupError(
          'MASTER_KEY_PREVIOUS is not set: set it to the old key, and MASTER_KEY to the new one, as for all processes. If the old key is lost, add --lost.',
        )
      }
      await withMigratedDatabase(config, async ({ directUrl }) => {
        const database = connectDatabase({ url: directUrl, maxConnections: 1 })
        try {
          if (lost) return print(await replaceLostKeyIfConfirmed(config, database, yes))
          const vault = await openVault({ pool: database.pool, ...config })
          const { pool } = database
          print(await withProgress((show) => rotateMasterKey({ pool, vault, compromised, show })))
        } finally {
          await database.close()
        }
      })
    }),
)

async function replaceLostKeyIfConfirmed(config: Config, { pool }: Database, isAgreed: boolean): Promise<string> {
  const { secrets, invites, chains, connections } = await countLostValues(pool)
  const consequences = [
    'Without its master key, this database has lost forever:',
    `- the secrets of ${secrets} webhooks: each webhook gets a new secret, which its receiver does not know yet`,
    `- the links of ${invites} open invites: whoever has a link may still use it, but nobody can see it again`,
    '- sign-ins: personal tokens and the tokens of subscribers end. Passwords, API keys and sessions of the console keep working',
    `- signatures: the entries of ${chains} audit logs so far can no longer be verified. New chains begin after them`,
    ...(connections > 0
      ? [`Processes of the service are still connected (${connections} connections): stop them. ${oldKeyHint}`]
      : []),
  ]
  const text = consequences.join('\n')
  if (!isAgreed) await askForConfirmation(text)
  const vault = await createVaultForLostKey({ pool, ...config })
  await withProgress((show) => replaceLostKey(pool, vault, show))
  return [
    ...(isAgreed ? consequences : []),
    'The database now uses the new key. Keep the key apart from the backups, and start the service with it.',
    'Every organization with a webhook has to replace its secret (POST /org/webhook/rotate, or the console), and people who have not received their link yet need a new invite.',
  ].join('\n')
}

/** Throws a StartupError unless somebody at the terminal agrees. */
async function askForConfirmation(text: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new StartupError(`${text}\n--yes is required, because there is no terminal on which to ask.`)
  printNote(text)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question('Give up the old key? Type "yes": ')
  terminal.close()
  if (answer.trim() !== 'yes') throw new StartupError('Nothing was changed.')
}
