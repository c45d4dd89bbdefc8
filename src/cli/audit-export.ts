import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { printNote } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import { isOutage, markDatabaseError } from '../database/outage.ts'
import { withClient } from '../database/stored-tables.ts'
import { AuditExporter } from './audit/audit-exporter.ts'
import { readOrganizationId, runCommand } from './command.ts'
import { onMigratedDatabase } from './on-database.ts'

/** How often new links are looked for, and a lost database. */
const followMs = 1_000
const statementMs = 60_000

await runCommand({
  help: `Usage: npm run --silent audit:export -- --organization ID [--after P] [--follow] > FILE

Prints the chain of an organization's audit log as NDJSON, which \`npm run audit:verify\` checks without the database: one line
{"kind":"entry",…} for each record, and a line {"kind":"head",…} at the end of what is chained. If AUDIT_RETENTION_DAYS cut the
beginning, a line {"kind":"cut",…} says where. The server may go on running.

  --organization ID   the organization
  --after P           begins after this position: that of the last line that you have
  --follow            goes on with new records as they come, until it is ended; connects again to a lost database`,
  options: { organization: { type: 'string' }, after: { type: 'string' }, follow: { type: 'boolean' } },
  check({ organization, after }) {
    readOrganizationId(organization)
    readPosition(after)
  },
  async runLong({ config, options }) {
    const organizationId = readOrganizationId(options.organization)
    const given = readPosition(options.after)
    await onMigratedDatabase(config, async ({ directUrl }) => {
      const follower = new AuditExporter(organizationId, given ?? 0, given === null)
      if (options.follow !== true) return onConnection(directUrl, (client) => follower.print(client))
      while (true) {
        try {
          await onConnection(directUrl, async (client) => {
            for (;;) {
              await follower.print(client)
              await wait(followMs)
            }
          })
        } catch (error) {
          if (error instanceof StartupError) throw error
          markDatabaseError(error)
          if (!isOutage(error)) throw error
          printNote('The database cannot be used. This is tried again.')
          await wait(followMs)
        }
      }
    })
    return ''
  },
})

/** The position from `--after`, or null. */
function readPosition(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new StartupError(`--after must be a position, a whole number, but is ${JSON.stringify(text)}.`)
}

async function onConnection(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  await withClient({ url, purpose: 'audit export' }, async (client) => {
    await client.query(`set time zone 'UTC'; set statement_timeout = ${statementMs}`)
    await use(client)
  })
}
