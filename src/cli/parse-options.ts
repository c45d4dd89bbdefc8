import { parseArgs } from 'node:util'
import { StartupError } from '../core/startup-error.ts'

export type OptionTable = Record<string, { type: 'string' | 'boolean' }>

/** Without a value for options that were not given. */
export type Values<O extends OptionTable> = {
  [Name in keyof O]?: O[Name]['type'] extends 'boolean' ? boolean : string
}

/** The options of a command, or "help". A StartupError for unknown ones names the usage, the first line of `help`. */
export function parseOptions<const O extends OptionTable>(args: string[], table: O, help: string): Values<O> | 'help' {
  try {
    const options: OptionTable = { ...table, help: { type: 'boolean' } }
    const { values } = parseArgs({ args, options })
    return values.help === true ? 'help' : (values as Values<O>)
  } catch (error) {
    const [usage] = help.split('\n')
    // Only the first sentence of Node's message; the rest suggests things that do not help here.
    const [complaint] = (error as Error).message.split(/\.?\n|\. /)
    throw new StartupError(`${complaint}. ${usage}`)
  }
}
