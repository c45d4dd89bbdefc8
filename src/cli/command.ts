import { parseArgs } from 'node:util'
import { type Config, loadConfig } from '../config.ts'
import { isUlid } from '../core/ids.ts'
import { StartupError } from '../core/startup-error.ts'
import type { Vault } from '../core/vault.ts'
import { connectDatabase } from '../database/client.ts'
import {
  findGivenDatabase,
  findRunningDatabase,
  type LocatedDatabase,
  startEmbeddedDatabase,
} from '../database/locate-database.ts'
import { openVault } from '../database/master-key.ts'
import { migrate } from '../database/migrate.ts'
import type { Transaction } from '../operation/operation.ts'

export type OptionTable = Record<string, { type: 'string' | 'boolean' }>
type Values<O extends OptionTable> = { [Name in keyof O]?: O[Name]['type'] extends 'boolean' ? boolean : string }

export type CommandContext<O extends OptionTable> = {
  config: Config
  options: Values<O>
  tx: Transaction
  /** The database's clock. */
  now: Date
  /** What secrets are stored with. */
  openVault(): Promise<Vault>
}

export type Command<O extends OptionTable> = {
  /** What `--help` prints; its first line is named in complaints. */
  help: string
  options: O
  /** Before a database is touched: throws a StartupError for options that are wrong or missing. */
  check?(options: Values<O>): void
  /** One transaction. Resolves to what is printed. */
  run(context: CommandContext<O>): Promise<string>
}

/**
 * Runs a command of `npm run`: beside a server on the same database, or alone, when it starts the embedded PostgreSQL
 * for itself. What the person can mend is one line on stderr and exit code 1.
 */
export async function runCommand<const O extends OptionTable>(command: Command<O>): Promise<never> {
  try {
    console.log(await execute(command, process.argv.slice(2)))
    process.exit(0)
  } catch (error) {
    console.error(error instanceof StartupError ? error.message : error)
    process.exit(1)
  }
}

async function execute<const O extends OptionTable>(command: Command<O>, args: string[]): Promise<string> {
  const options = readOptions(command, args)
  if (options === 'help') return command.help
  command.check?.(options)
  const config = loadConfig(process.env)
  const located = await locate(config)
  try {
    await migrate({ url: located.directUrl })
    return await runInTransaction(config, located, (context) => command.run({ ...context, config, options }))
  } finally {
    await located.stop()
  }
}

async function locate(config: Config): Promise<LocatedDatabase> {
  const existing = (await findGivenDatabase(config)) ?? (await findRunningDatabase(config))
  return existing ?? startEmbeddedDatabase(config, console.error)
}

async function runInTransaction(
  config: Config,
  { directUrl }: LocatedDatabase,
  run: (context: Pick<CommandContext<OptionTable>, 'tx' | 'now' | 'openVault'>) => Promise<string>,
): Promise<string> {
  // One for the transaction, one to compare the master key with the database's.
  const database = connectDatabase({ url: directUrl, maxConnections: 2 })
  try {
    return await database.prisma.$transaction(async (tx) => {
      const [clock] = await tx.$queryRaw<[{ now: Date }]>`select clock_timestamp() as now`
      return run({ tx, now: clock.now, openVault: () => openVault({ pool: database.pool, ...config }) })
    })
  } finally {
    await database.close()
  }
}

function readOptions<O extends OptionTable>(command: Command<O>, args: string[]): Values<O> | 'help' {
  try {
    const options: OptionTable = { ...command.options, help: { type: 'boolean' } }
    const { values } = parseArgs({ args, options })
    return values.help === true ? 'help' : (values as Values<O>)
  } catch (error) {
    const [usage] = command.help.split('\n')
    throw new StartupError(`${(error as Error).message.split('. ')[0]}. ${usage}`)
  }
}

/** The organization's id from `--organization`, or a StartupError. */
export function readOrganizationId(value: string | undefined): string {
  if (value === undefined) throw new StartupError('--organization is required: the id of the organization.')
  if (!isUlid(value))
    throw new StartupError(`--organization must be an organization's id, but is ${JSON.stringify(value)}.`)
  return value
}

export async function assertOrganization(tx: Transaction, organizationId: string): Promise<void> {
  const found = await tx.organization.findUnique({ where: { id: organizationId }, select: { id: true } })
  if (!found) throw new StartupError(`There is no organization ${organizationId} in this database.`)
}
