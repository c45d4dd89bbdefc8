import { join } from 'node:path'
import { type Config, loadConfig } from '../config.ts'
import { print } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import { assertServer } from '../database/assert-server.ts'
import { findLockOwner } from '../database/embedded/folder-lock.ts'
import { command, databaseOption, run } from './command.ts'
import { copyData } from './copy-data.ts'
import { withExistingEmbeddedDatabase } from './with-database.ts'
import { withProgress } from './with-progress.ts'

await run(
  command('data:copy')
    .description(
      'Copies everything from the embedded database to an empty PostgreSQL of your own. Stop the server first, and start it afterwards with DATABASE_URL and the same master key: keys, sessions, webhooks and jobs continue to work. Followers of changes start over. If the copy fails, the other database stays empty; the embedded one is never changed.',
    )
    .addOption(databaseOption('the address of the database, as DATABASE_URL will name it'))
    .action(async ({ to }) => {
      const config = loadConfig(process.env)
      assertStopped(config)
      await assertServer({ url: to, variable: '--to', mayBePooled: false })
      await withExistingEmbeddedDatabase(config, async ({ directUrl }) => {
        const copied = await withProgress((show) => copyData(directUrl, to, show))
        print(describe(config, copied))
      })
    }),
)

function assertStopped({ dataDir }: Config): void {
  const pid = findLockOwner(dataDir)
  if (pid !== null) throw new StartupError(`The server with process id ${pid} runs on ${dataDir}: stop it first.`)
}

function describe({ masterKey, dataDir }: Config, copied: ReadonlyMap<string, number>): string {
  const rows = [...copied].filter(([, count]) => count > 0).map(([table, count]) => `  ${count}\t${table}`)
  const key = masterKey
    ? 'the same MASTER_KEY'
    : `MASTER_KEY="$(cat ${join(dataDir, 'master-key')})", with which the secrets are encrypted`
  return `Copied:\n${rows.join('\n')}\n\nStart the service with DATABASE_URL and ${key}.`
}
