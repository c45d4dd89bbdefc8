import { parseArgs } from 'node:util'
import type { Output } from './output.ts'
import { type ExitCode, Problem } from './problem.ts'

/** One option of a command. `value` names its argument in the help; without it the option is a switch. */
export type Option = { about: string; value?: string; short?: string }
export type Options = Record<string, Option>

/** Options that were not given are undefined. */
type Values<O extends Options> = {
  [Name in keyof O]: O[Name] extends { value: string } ? string | undefined : boolean | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>

type Context<O extends Options> = {
  /** What was given besides options. */
  args: readonly string[]
  options: Values<O>
  env: Environment
  output: Output
}

export type Command<O extends Options = Options> = {
  name: string
  /** What follows the name in the help, such as `FILE`. */
  args?: string
  /** How many arguments it takes. */
  takes?: { min: number; max: number }
  summary: string
  /** Paragraphs of the command's own help. */
  about: string
  options: O
  examples: readonly string[]
  run(context: Context<O>): Promise<ExitCode>
}

/** Every command has these. */
export const commonOptions = {
  json: { about: 'prints one JSON document on standard output, also for an error' },
  help: { about: 'shows this; also -h', short: 'h' },
} as const satisfies Options

/** Checks the types of a command: its options are known in `run`. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  return command as unknown as Command
}

type Parsed = { args: string[]; options: Record<string, string | boolean | undefined> }

/** A Problem for options that the command does not have, and for too few or too many arguments. */
export function parseCommandLine(command: Command, rest: readonly string[]): Parsed {
  const all = { ...command.options, ...commonOptions }
  const table = Object.fromEntries(
    Object.entries<Option>(all).map(([name, { value, short }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
    ]),
  )
  const { values, positionals } = parse(command, rest, table)
  const { min, max } = command.takes ?? { min: 0, max: 0 }
  const isAskingHelp = values.help === true
  if (!isAskingHelp && (positionals.length < min || positionals.length > max)) {
    const found = positionals.length < min ? 'Something is missing' : `"${positionals[max]}" is too much`
    throw new Problem(`${found}. Usage: ${usageOf(command)}`, { code: 'USAGE' })
  }
  return { args: positionals, options: values }
}

type Table = Record<string, { type: 'string' | 'boolean'; short?: string }>

function parse(command: Command, rest: readonly string[], table: Table) {
  try {
    return parseArgs({ args: [...rest], options: table, allowPositionals: true })
  } catch (error) {
    // Node's own words, without its advice on how to give a positional argument.
    const [reason] = (error as Error).message.split('. To specify')
    throw new Problem(`${reason?.replace(/\.$/, '')}. Usage: ${usageOf(command)}. More: ${helpOf(command)}`, {
      code: 'USAGE',
    })
  }
}

export function usageOf({ name, args, options }: Command): string {
  const words = [
    'entitlements',
    name,
    ...(args ? [args] : []),
    ...(Object.keys(options).length > 0 ? ['[options]'] : []),
  ]
  return words.join(' ')
}

function helpOf({ name }: Command): string {
  return `entitlements ${name} --help`
}
