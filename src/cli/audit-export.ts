import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { loadConfig } from '../config.ts'
import { printNote } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import { isOutage, markDatabaseError } from '../database/outage.ts'
import { withClient } from '../database/stored-tables.ts'
import { AuditExporter } from './audit/audit-exporter.ts'
import { command, integerBetween, organizationOption, run } from './command.ts'
import { withMigratedDatabase } from './with-database.ts'

/** How often the command looks for new links, or tries to reconnect to the database. */
const followMs = 1_000
const statementMs = 60_000

await run(
  command('audit:export', 'npm run --silent')
    .description(
      'Prints the chain of an organization\'s audit log as NDJSON, which `npm run audit:verify` checks without the database: one line {"kind":"entry",…} for each record, and a line {"kind":"head",…} at the end of the chain. If AUDIT_RETENTION_DAYS cut the beginning, a line {"kind":"cut",…} says where. The server may keep running.',
    )
    .addOption(organizationOption.required)
    .option(
      '--after <position>',
      'begins after this position: that of the last line that you already have',
      integerBetween(0, Number.MAX_SAFE_INTEGER),
    )
    .option(
      '--follow',
      'continues with new records as they arrive, until it is stopped; reconnects if it loses the connection to the database',
    )
    .action(({ organization, after, follow }) =>
      withMigratedDatabase(loadConfig(process.env), async ({ directUrl }) => {
        const follower = new AuditExporter(organization, after ?? 0, after === undefined)
        if (!follow) return withConnection(directUrl, (client) => follower.print(client))
        while (true) {
          try {
            await withConnection(directUrl, async (client) => {
              for (;;) {
                await follower.print(client)
                await wait(followMs)
              }
            })
          } catch (error) {
            if (error instanceof StartupError) throw error
            markDatabaseError(error)
            if (!isOutage(error)) throw error
            printNote('The database cannot be used. Trying again.')
            await wait(followMs)
          }
        }
      }),
    ),
)

async function withConnection(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  await withClient({ url, purpose: 'audit export' }, async (client) => {
    await client.query(`set statement_timeout = ${statementMs}`)
    await use(client)
  })
}
