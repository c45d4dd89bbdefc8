import { type Config, loadConfig } from '../config.ts'
import { isUlid } from '../core/ids.ts'
import { print, printError } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import type { Vault } from '../core/vault.ts'
import type { Queries } from '../database/prisma.ts'
import type { Transaction } from '../database/transaction.ts'
import { type OptionTable, parseOptions, type Values } from './parse-options.ts'

type CommandContext<O extends OptionTable> = {
  config: Config
  options: Values<O>
  tx: Transaction
  /** The database's time. */
  now: Date
  /** Encrypts stored secrets. */
  openVault(): Promise<Vault>
}

type Command<O extends OptionTable> = {
  /** Printed by `--help`; error messages quote its first line. */
  help: string
  options: O
  /** Runs before the database is opened; throws a StartupError for wrong or missing options. */
  check?(options: Values<O>): void
} & (
  | {
      /** Runs in one transaction. Resolves to the text to print. */
      run(context: CommandContext<O>): Promise<string>
    }
  | {
      /** Takes longer than a transaction may, and connects by itself. */
      runLong(context: Pick<CommandContext<O>, 'config' | 'options'>): Promise<string>
    }
)

/** Runs a command of `npm run`: beside a server on the same database, or else on the embedded PostgreSQL, which it starts. */
export async function runCommand<const O extends OptionTable>(command: Command<O>): Promise<never> {
  return printResult(() => execute(command, process.argv.slice(2)))
}

/**
 * Prints the text that `run` resolves to, and ends the process. For an error that the user can correct, prints one line on
 * stderr and exits with code 1.
 */
export async function printResult(run: () => Promise<string>): Promise<never> {
  try {
    const text = await run()
    if (text !== '') print(text)
    process.exit(0)
  } catch (error) {
    printError(error)
    process.exit(1)
  }
}

async function execute<const O extends OptionTable>(command: Command<O>, args: string[]): Promise<string> {
  const options = parseOptions(args, command.options, command.help)
  if (options === 'help') return command.help
  command.check?.(options)
  const config = loadConfig(process.env)
  if ('runLong' in command) return command.runLong({ config, options })
  // Loaded late: the database code takes longer to load than all the rest.
  const { inTransaction } = await import('./in-transaction.ts')
  return inTransaction(config, (context) => command.run({ ...context, config, options }))
}

/** The organization's id from `--organization`, or a StartupError. */
export function readOrganizationId(value: string | undefined): string {
  if (value === undefined) throw new StartupError('--organization is required: the id of the organization.')
  if (!isUlid(value))
    throw new StartupError(`--organization must be an organization's id, but is ${JSON.stringify(value)}.`)
  return value
}

export async function assertOrganization(tx: Queries, organizationId: string): Promise<void> {
  const found = await tx.organization.findUnique({ where: { id: organizationId }, select: { id: true } })
  if (!found) throw new StartupError(`There is no organization ${organizationId} in this database.`)
}
