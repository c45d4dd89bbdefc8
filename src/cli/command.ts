import {
  Command,
  CommanderError,
  type CommandUnknownOpts,
  InvalidArgumentError,
  Option,
} from '@commander-js/extra-typings'
import { type Config, loadConfig } from '../config.ts'
import { postgresUrl } from '../config-values.ts'
import { describeMisuse } from '../core/command-line.ts'
import { Overloaded } from '../core/errors.ts'
import { isUlid } from '../core/ids.ts'
import { print, printError, waitForOutput } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import type { Vault } from '../core/vault.ts'
import type { Queries } from '../database/prisma.ts'
import type { Transaction } from '../database/transaction.ts'
import { endBySignal, StoppedBySignal } from './stop-signals.ts'

type Context = {
  config: Config
  tx: Transaction
  /** The database's time. */
  now: Date
  /** Opens the vault, which encrypts stored secrets. */
  openVault(): Promise<Vault>
}

/**
 * Defines a command, which uses the database of a running server, or starts the embedded PostgreSQL. The command's help names
 * `runner` and the script if npm runs it, and otherwise the program of the release.
 */
export function command(script: string, runner = 'npm run'): Command {
  const isRunByNpm = process.env.npm_lifecycle_event === script
  return (
    new Command(isRunByNpm ? `${runner} ${script} --` : `entitlements-service ${script}`)
      .helpOption('-h, --help', 'show this help')
      .exitOverride()
      // `run` prints its own errors.
      .configureOutput({ outputError: () => {} })
  )
}

/**
 * Runs the command with the arguments of this process, and ends the process. After an error, prints a line that says what to
 * correct, and exits with code 1. A command that a signal stopped ends by this signal. `onlyPrints`: the command changes nothing
 * and its output need not be complete, so it ends quietly when nobody reads it.
 */
export async function run(command: CommandUnknownOpts, { onlyPrints = false } = {}): Promise<never> {
  // The reader of a pipe may stop reading, as `head` does. Without a listener, the error would end a command in the middle of
  // its writes; `waitForOutput` reports the error after the writes.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (onlyPrints && code === 'EPIPE') process.exit(0)
  })
  // Progress and warnings are not the result: nobody needs to read them.
  process.stderr.on('error', () => {})
  try {
    await command.parseAsync()
    await waitForOutput()
    process.exit()
  } catch (error) {
    if (!(error instanceof CommanderError)) printError(error)
    else if (error.exitCode === 0) process.exit(0)
    else printError(new StartupError(describeMisuse(error, command.name())))
    if (error instanceof StoppedBySignal) endBySignal(error.signal)
    process.exit(1)
  }
}

/** Runs `use` in a transaction, and prints the text that it resolves to. */
export async function printFromTransaction(use: (context: Context) => Promise<string>): Promise<void> {
  const config = loadConfig(process.env)
  // Loaded late: the database code takes longer to load than everything else.
  const { inTransaction } = await import('./in-transaction.ts')
  print(await inTransaction(config, (context) => use({ ...context, config })))
}

/** The option `--organization`, which is required unless `optional` is set. */
export const organizationOption = {
  required: new Option('--organization <id>', 'the organization').argParser(parseOrganizationId).makeOptionMandatory(),
  optional: new Option('--organization <id>', 'only this organization').argParser(parseOrganizationId),
}

function parseOrganizationId(text: string): string {
  if (isUlid(text)) return text
  throw new InvalidArgumentError("It must be an organization's id.")
}

/** The option `--to` for the address of a database, which is required. */
export function databaseOption(about: string) {
  const hint =
    ' (not through a PgBouncer). Leave out its password and set PGPASSWORD, so that the list of processes does not show the password'
  return new Option('--to <url>', about + hint).argParser(parseDatabaseUrl).makeOptionMandatory()
}

function parseDatabaseUrl(text: string): string {
  const address = postgresUrl()
  if (address.safeParse(text).success) return text
  // Commander's own error would show the address, which may contain a password.
  throw new StartupError(`--to must be ${address.description}.`)
}

/** Returns a function that parses a whole number from `min` to `max`. */
export const integerBetween =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }

export async function assertOrganization(tx: Queries, organizationId: string): Promise<void> {
  const found = await tx.organization.findUnique({ where: { id: organizationId }, select: { id: true } })
  if (!found) throw new StartupError(`There is no organization ${organizationId} in this database.`)
}

/**
 * Throws for an organization that is being moved, or has been moved: writes here would be lost, and not all of its rows are
 * here. Locks it, so that no move begins before the transaction ends.
 */
export async function assertOrganizationIsHere(tx: Transaction, organizationId: string): Promise<void> {
  await assertOrganization(tx, organizationId)
  const { lockOrganization } = await import('../modules/organizations/organization.ts')
  try {
    await lockOrganization(tx, organizationId)
  } catch (error) {
    if (error instanceof Overloaded) throw new StartupError(describeMovedOrganization(organizationId))
    throw error
  }
}

export function describeMovedOrganization(organizationId: string): string {
  return `The organization ${organizationId} is being moved to another installation, or has been moved: run this there.`
}
