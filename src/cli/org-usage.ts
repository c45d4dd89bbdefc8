import { loadConfig } from '../config.ts'
import { print } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import { withClient } from '../database/stored-tables.ts'
import { command, organizationOption, run } from './command.ts'
import { kinds, toTable, type Usage } from './usage-table.ts'
import { withMigratedDatabase } from './with-database.ts'

await run(
  command('org:usage')
    .description(
      'Prints how many bytes one organization stores, or all organizations, largest first: about as much as their rows and index entries take on disk. A worker updates the counts every hour; "at" is the time of the count.',
    )
    .addOption(organizationOption.optional)
    .option('--json', 'print JSON: one object with --organization, else a list')
    .action(async ({ organization, json }) => {
      const usages = await withMigratedDatabase(loadConfig(process.env), ({ directUrl }) =>
        loadUsages(directUrl, organization),
      )
      if (organization !== undefined && usages.length === 0)
        throw new StartupError(`There is no organization ${organization} in this database.`)
      if (json) return print(JSON.stringify(organization === undefined ? usages : usages[0], null, 2))
      print(usages.length === 0 ? 'There are no organizations.' : toTable(usages))
    }),
  { onlyPrints: true },
)

/** The driver returns a bigint as text. */
type Row = { organization_id: string; counted_at: Date | null } & Record<(typeof kinds)[number], string>

/**
 * Reads a long list with one statement, outside of a transaction and without the pool's time limits: PostgreSQL would end a
 * transaction while a slow machine is still reading its rows.
 */
async function loadUsages(url: string, organizationId: string | undefined): Promise<Usage[]> {
  const { rows } = await withClient({ url, purpose: 'usage' }, (client) =>
    client.query<Row>(
      `select organization.organization_id, stored.audit, stored.events, stored.subscribers, stored.overrides, stored.catalog,
              stored.other, stored.counted_at
         from organization left join stored_bytes stored on stored.organization_id = organization.organization_id
        where $1::text is null or organization.organization_id = $1
        order by stored.total desc nulls last, organization.organization_id`,
      [organizationId ?? null],
    ),
  )
  return rows.map((row) => ({
    organization_id: row.organization_id,
    bytes: row.counted_at && (Object.fromEntries(kinds.map((kind) => [kind, Number(row[kind])])) as Usage['bytes']),
    at: row.counted_at?.toISOString() ?? null,
  }))
}
