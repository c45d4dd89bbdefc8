import { parseArgs } from 'node:util'
import { StartupError } from '../core/startup-error.ts'

export type OptionTable = Record<string, { type: 'string' | 'boolean'; short?: string }>

/** Options that were not given are absent. */
export type Values<O extends OptionTable> = {
  [Name in keyof O]?: O[Name]['type'] extends 'boolean' ? boolean : string
}

/** The options of a command, or "help". For unknown ones, a StartupError quotes the usage, the first line of `help`. */
export function parseOptions<const O extends OptionTable>(args: string[], table: O, help: string): Values<O> | 'help' {
  try {
    const options: OptionTable = { ...table, help: { type: 'boolean', short: 'h' } }
    const { values } = parseArgs({ args, options })
    return values.help === true ? 'help' : (values as Values<O>)
  } catch (error) {
    const [usage] = help.split('\n')
    // Only the first sentence of Node's message; its suggestions do not help here.
    const [complaint] = (error as Error).message.split(/\.?\n|\. /)
    throw new StartupError(`${complaint}. ${usage}`)
  }
}
