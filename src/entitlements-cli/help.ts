import { type Command, commonOptions, type Option, usageOf } from './command.ts'
import { manifest } from './manifest.ts'

/** The help of the whole program, from the table of its commands. */
export function describeProgram(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return [
    `entitlements ${manifest.version}: the command line of the Entitlements Service.`,
    '',
    'Usage: entitlements COMMAND [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Environment:',
    '  ENTITLEMENTS_URL      the address of the service, such as http://127.0.0.1:4000; or --url',
    '  ENTITLEMENTS_API_KEY  the key of a service account; it is never an option, because others can see those',
    '',
    'More about a command: entitlements help COMMAND',
  ].join('\n')
}

export function describeCommand(command: Command): string {
  const options = Object.entries({ ...command.options, ...commonOptions })
  const names = options.map(([name, option]) => nameOf(name, option))
  const width = Math.max(...names.map((name) => name.length))
  return [
    `Usage: ${usageOf(command)}`,
    '',
    command.about.trim(),
    '',
    'Options:',
    ...options.map(([, { about }], index) => `  ${(names[index] as string).padEnd(width)}  ${about}`),
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
  ].join('\n')
}

function nameOf(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}
