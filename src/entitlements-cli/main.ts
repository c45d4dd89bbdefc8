#!/usr/bin/env node
import { Command, CommanderError } from '@commander-js/extra-typings'
import type { Command as PlainCommand } from 'commander'
import { describeMisuse } from '../core/command-line.ts'
import { addCompletion } from '../core/completion.ts'
import { readKeyVariable } from '../core/key-variable.ts'
import { commands } from './commands.ts'
import { explain } from './explain.ts'
import { manifest } from './manifest.ts'
import { createOutput } from './output.ts'
import { Problem } from './problem.ts'

const [name, ...rest] = process.argv.slice(2)

// The reader of a pipe may stop reading, as `head` does. That must not end a command in the middle of its writes.
const isWriting = name === 'apply' || name === 'import'
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    // The exit code is that of the command, such as 2 for a denied check.
    if (!isWriting) process.exit()
  })
}

const isJson = rest.includes('--json')
const output = createOutput(process, isJson)
const { env, warning } = readKeyVariable(process.env)

const program = new Command('entitlements')
  .description(`The command line of the Entitlements Service, ${manifest.version}.`)
  .version(manifest.version, '-v, --version', 'show the version')
  .helpOption('-h, --help', 'show this help')
  .helpCommand('help [command]', 'show the help of a command')
  .addHelpText(
    'after',
    `
Environment:
  ENTITLEMENTS_URL      the address of the service, such as http://127.0.0.1:4000; or --url
  ENTITLEMENTS_API_KEY  the key of a service account; it has no option, because other users can see a process's options

Tab completion, for zsh, bash, fish or powershell: source <(entitlements completion zsh)`,
  )
  .hook('preAction', () => void (warning && output.note(warning)))
  .exitOverride()
  // The error is reported below.
  .configureOutput({ outputError: () => {} })
for (const create of commands) {
  const command = create({ env, output }).copyInheritedSettings(program)
  // Shell completion shows only one line per command.
  if (name === 'complete') command.description(command.summary())
  program.addCommand(command.option('--json', 'prints one JSON document on standard output, also for an error'))
}
// `PlainCommand` is the same class, with looser types.
addCompletion(program as unknown as PlainCommand)

const isCommand = (word: string | undefined) => program.commands.some((command) => command.name() === word)
await program.parseAsync(readCommandLine(), { from: 'user' }).catch(report)

/** Without arguments, prints the help. */
function readCommandLine(): string[] {
  if (name === undefined) return ['--help']
  // For a misspelled command, Commander would print the general help, without a suggestion.
  return name === 'help' && rest[0] !== undefined && !isCommand(rest[0]) ? rest : [name, ...rest]
}

function report(thrown: unknown): void {
  // Commander also throws after it has printed the help or the version.
  if (thrown instanceof CommanderError && thrown.exitCode === 0) return
  const program = ['entitlements', ...(isCommand(name) ? [name] : [])].join(' ')
  const error =
    thrown instanceof CommanderError ? new Problem(describeMisuse(thrown, program), { code: 'USAGE' }) : thrown
  const { message, lines, code, requestId, details, exitCode } = explain(error)
  if (isJson) output.json({ error: { code, message, request_id: requestId, details } })
  else output.note(lines)
  process.exitCode = exitCode
}
