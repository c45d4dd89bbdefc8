import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import type pg from 'pg'
import { subscriberTokenPrefix } from '../access/installation.ts'
import { loadConfig } from '../config.ts'
import { print, printProgress } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import { assertServer } from '../database/assert-server.ts'
import { connectDatabase, type Database } from '../database/client.ts'
import { isOutage, markDatabaseError } from '../database/outage.ts'
import { withClient } from '../database/stored-tables.ts'
import { assertOrganization, command, databaseOption, organizationOption, run } from './command.ts'
import { moveOrganization } from './move/move-organization.ts'
import { withMigratedDatabase } from './with-database.ts'
import { withProgress } from './with-progress.ts'

await run(
  command('org:move', 'npm run --silent')
    .description(
      'Moves an organization to the database of another installation, and prints the lines with which a proxy finds it there. Both installations keep running, and must have the same version and master key. The writes of the organization are refused with 503 while its rows are copied. Its evals are refused during the switch and until the proxy has the lines, so pass them on with --reroute. If the command is stopped, run it again: one of the installations has the complete organization, and the lines are printed again.',
    )
    .addOption(organizationOption.required)
    .addOption(databaseOption('the DATABASE_URL of the other installation'))
    .requiredOption('--installation <name>', 'the name of the other installation in the lines for the proxy', parseName)
    .option(
      '--reroute <command>',
      'a command that passes the lines to the proxy: the shell runs it right after the switch, before the rows are deleted here; the command reads the lines from its standard input',
    )
    .option('--same-people', 'people with the same e-mail at both installations are the same people')
    .action(async ({ organization: organizationId, to, installation, reroute, samePeople = false }) => {
      const config = loadConfig(process.env)
      await assertServer({ url: to, variable: '--to', mayBePooled: false })
      await withMigratedDatabase(config, async ({ directUrl }) => {
        const [sourceDatabase, targetDatabase] = [directUrl, to].map((url) =>
          connectDatabase({ url, maxConnections: 2 }),
        ) as [Database, Database]
        let code = 0
        try {
          await assertOrganization(sourceDatabase.prisma, organizationId)
          await assertSameTablesAndKey(sourceDatabase, targetDatabase)
          await assertUniqueKeyPrefixes(sourceDatabase, organizationId)
          const move = (source: pg.Client, target: pg.Client) =>
            withProgress((show) =>
              moveOrganization({
                ...{ organizationId, samePeople, source, target, sourceDatabase, targetDatabase, show },
                // Overwrites the progress line on a terminal.
                log: (line) => printProgress(line, { isLast: true }),
                async reroute() {
                  const lines = await describeRoutes(sourceDatabase, {
                    organizationId,
                    from: config.installation ?? '',
                    installation,
                  })
                  print(lines)
                  if (reroute !== undefined) code = await runShell(reroute, `${lines}\n`)
                },
              }),
            )
          await withClient({ url: directUrl, purpose: 'move' }, (source) =>
            withClient({ url: to, purpose: 'move' }, (target) => move(source, target)),
          )
          if (code !== 0)
            throw new StartupError(
              `The --reroute command exited with ${code}. The organization has moved: add the printed lines to the proxy's configuration.`,
            )
        } catch (error) {
          if (error instanceof StartupError) throw error
          markDatabaseError(error)
          if (!isOutage(error)) throw error
          const reason = (error as Error).message
          throw new StartupError(`A database did not answer (${reason}). Run the command again.`)
        } finally {
          await Promise.all([sourceDatabase.close(), targetDatabase.close()])
        }
      })
    }),
)

function parseName(text: string): string {
  if (/^[\w-]+$/.test(text)) return text
  throw new InvalidArgumentError('It must consist of letters, digits, _ and -.')
}

/**
 * Runs the command of --reroute; returns its exit code, or -1 after a signal. Its output goes to stderr, because stdout has the
 * lines.
 */
async function runShell(command: string, input: string): Promise<number> {
  const child = spawn(command, { shell: true, stdio: ['pipe', process.stderr, process.stderr] })
  // The command may ignore its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return code ?? -1
}

/** Throws unless the target has the same tables, which the rows need, and the same master key, which the secrets need. */
async function assertSameTablesAndKey(source: Database, target: Database): Promise<void> {
  const [ours, theirs] = await Promise.all([source, target].map(readState))
  if (!theirs?.key)
    throw new StartupError('Nobody has used the database of --to yet: start the other installation once.')
  if (ours?.database === theirs.database) throw new StartupError('--to is the database that the organization is in.')
  if (ours?.migrations !== theirs.migrations)
    throw new StartupError('The installations have different versions: upgrade the older one first.')
  if (ours?.key !== theirs.key)
    throw new StartupError('The installations have different master keys: replace one of the keys first.')
}

/** A proxy routes keys by their first characters, so no key of another organization may begin with the same characters. */
async function assertUniqueKeyPrefixes({ pool }: Database, organizationId: string): Promise<void> {
  const { rows } = await pool.query<{ prefix: string }>(
    `select key_prefix as prefix from api_key own
      where organization_id = $1
        and exists (select from api_key other where other.key_prefix = own.key_prefix and other.organization_id <> $1)`,
    [organizationId],
  )
  if (rows.length === 0) return
  throw new StartupError(
    `A key of another organization has the same prefix as a key of this one (${rows.map(({ prefix }) => prefix).join(', ')}): replace and revoke one of them first.`,
  )
}

type DatabaseState = { database: string; migrations: string; key: string | null }

async function readState({ pool }: Database): Promise<DatabaseState | undefined> {
  const { rows: tables } = await pool.query(`select to_regclass('master_key') is null as empty`)
  if (tables[0].empty) return { database: '', migrations: '', key: null }
  const { rows } = await pool.query<DatabaseState>(
    `select concat_ws(' ', system_identifier, current_database()) as database,
            (select string_agg(migration_name, ' ' order by migration_name) from _prisma_migrations) as migrations,
            (select encode(fingerprint, 'hex') from master_key) as key
       from pg_control_system()`,
  )
  return rows[0]
}

/**
 * Lists the prefixes by which the proxy recognizes the organization's keys, and the subscriber tokens created here, which are
 * valid for at most an hour.
 */
async function describeRoutes(
  { pool }: Database,
  { organizationId, from, installation }: { organizationId: string; from: string; installation: string | undefined },
): Promise<string> {
  const { rows } = await pool.query<{ prefix: string }>(
    'select key_prefix as prefix from api_key where organization_id = $1 order by key_id',
    [organizationId],
  )
  const beginnings = [...rows.map(({ prefix }) => prefix), subscriberTokenPrefix(from, organizationId)]
  return [`# ${organizationId}`, ...beginnings.map((beginning) => `${beginning} ${installation}`)].join('\n')
}
