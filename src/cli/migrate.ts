import { loadConfig } from '../config.ts'
import { print } from '../core/print.ts'
import { migrate } from '../database/migrate.ts'
import type { MigrationProgress } from '../database/migration-progress.ts'
import { setUpQueues } from '../events/queues.ts'
import { command, run } from './command.ts'
import { untilStopSignal } from './stop-signals.ts'
import { withDatabase } from './with-database.ts'

await run(
  command('migrate')
    .description(
      'Creates or migrates everything that the service keeps in the database, and then ends. Every start of the service does the same, unless MIGRATE=false: then the service waits for this command.',
    )
    .action(() =>
      // A signal also ends a running migration, which PostgreSQL would otherwise continue.
      untilStopSignal((stopping) =>
        withDatabase(loadConfig(process.env), async ({ directUrl }) => {
          await migrate({
            url: directUrl,
            signal: stopping,
            onApplied: (names) => print(names.map((name) => `Applied ${name}`).join('\n')),
            onProgress: (progress) => print(describe(progress)),
          })
          await setUpQueues(directUrl)
          print('The database is up to date.')
        }),
      ),
    ),
)

function describe({ migration, doing, rows, seconds }: MigrationProgress): string {
  const changed = rows === undefined ? '' : `, ${rows} rows changed`
  return `${migration ? `${migration}: ` : ''}${doing}, ${seconds} seconds so far${changed}`
}
