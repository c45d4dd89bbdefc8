import type pg from 'pg'
import { isMoved } from '../access/organization-move.ts'
import { loadConfig } from '../config.ts'
import { writeLines } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import { explainDatabaseError } from '../database/explain-error.ts'
import {
  beginSnapshot,
  loadOrganizationTables,
  readAsJson,
  type StoredTable,
  withClient,
} from '../database/stored-tables.ts'
import { command, describeMovedOrganization, organizationOption, run } from './command.ts'
import { withMigratedDatabase } from './with-database.ts'
import { type ShowProgress, withProgress } from './with-progress.ts'

await run(
  command('org:export', 'npm run --silent')
    .description(
      'Prints, as NDJSON, everything that an organization stores, as of a single moment: one line {"kind":TABLE,"row":{…}} for each row, with the columns of the database. The first line, of kind "export", names the columns that are left out of each table: hashes of keys and sessions, and secrets, which are encrypted with the master key. The server may keep running.',
    )
    .addOption(organizationOption.required)
    .action(({ organization }) =>
      withMigratedDatabase(loadConfig(process.env), ({ directUrl }) =>
        withClient({ url: directUrl, purpose: 'export' }, async (client) => {
          await client.query(beginSnapshot)
          await withProgress((show) => print(client, organization, show))
        }),
      ),
    ),
)

async function print(client: pg.Client, organizationId: string, show: ShowProgress): Promise<void> {
  const { rows } = await client.query<{ at: Date; isElsewhere: boolean }>(
    `select clock_timestamp() as at,
            exists (select from member where organization_id = $1 and ${isMoved('member')}) as "isElsewhere"
       from organization where organization_id = $1`,
    [organizationId],
  )
  if (!rows[0]) throw new StartupError(`There is no organization ${organizationId} in this database.`)
  if (rows[0].isElsewhere) throw new StartupError(describeMovedOrganization(organizationId))
  const tables = await loadOrganizationTables(client)
  const selectFrom = (table: StoredTable) => {
    const columns = columnNamesOf(table, false).map((name) => client.escapeIdentifier(name))
    return `select ${columns.join(', ')} from ${client.escapeIdentifier(table.name)}
             where organization_id = ${client.escapeLiteral(organizationId)} order by ${table.key.join(', ')}`
  }
  const secrets = tables.map((table) => [table.name, columnNamesOf(table, true)] as const)
  for (const table of tables) await assertReadable(client, table.name, `${selectFrom(table)} limit 0`)
  await writeLines([
    JSON.stringify({
      kind: 'export',
      organization_id: organizationId,
      at: rows[0].at,
      left_out: Object.fromEntries(secrets.filter(([, columns]) => columns.length > 0)),
    }),
  ])
  let count = 0
  for (const table of tables) {
    for await (const page of readAsJson(client, selectFrom(table))) {
      count += page.length
      show(`exported ${count} rows, now exporting ${table.name}`)
      await writeLines(page.map((row) => `{"kind":${JSON.stringify(table.name)},"row":${row}}`))
    }
  }
}

/** Checks a table before anything is printed: an incomplete file could be taken for a complete one. */
async function assertReadable(client: pg.Client, name: string, select: string): Promise<void> {
  try {
    await client.query(select)
  } catch (error) {
    throw new StartupError(`The table ${name} cannot be read: ${explainDatabaseError(error)}. Nothing was printed.`)
  }
}

function columnNamesOf({ columns }: StoredTable, isSecret: boolean): string[] {
  return columns.filter((column) => column.isSecret === isSecret).map(({ name }) => name)
}
