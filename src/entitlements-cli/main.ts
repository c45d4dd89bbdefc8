#!/usr/bin/env node
import { readKeyVariable } from '../core/key-variable.ts'
import { type Command, parseCommandLine } from './command.ts'
import { commands } from './commands.ts'
import { explain } from './explain.ts'
import { describeCommand, describeProgram } from './help.ts'
import { manifest } from './manifest.ts'
import { createOutput, type Output } from './output.ts'
import { type ExitCode, exitCodes, Problem } from './problem.ts'

// The reader of a pipe may stop reading, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done)
  throw error
})

const isJson = process.argv.includes('--json')
const output = createOutput(process, isJson)
process.exitCode = await main(process.argv.slice(2), output).catch(report)

async function main([name, ...rest]: string[], output: Output): Promise<ExitCode> {
  if (name === '--version') return say(manifest.version)
  if (name === 'help' && rest[0] !== undefined) return say(describeCommand(commandOf(rest[0])))
  if (name === undefined || ['--help', '-h', 'help'].includes(name)) return say(describeProgram(commands))
  const command = commandOf(name)
  const { args, options } = parseCommandLine(command, rest)
  if (options.help) return say(describeCommand(command))
  const { env, warning } = readKeyVariable(process.env)
  if (warning) output.note(warning)
  return command.run({ args, options: options as never, env, output })
}

function commandOf(name: string): Command {
  const command = commands.find((each) => each.name === name)
  if (command) return command
  const names = commands.map((each) => each.name).join(', ')
  throw new Problem(`There is no command "${name}". The commands are ${names}.`, { code: 'USAGE' })
}

/** Also with `--json`. */
function say(text: string): ExitCode {
  createOutput(process, false).print(...text.split('\n'))
  return exitCodes.done
}

function report(error: unknown): ExitCode {
  const { message, lines, code, requestId, details, exitCode } = explain(error)
  if (isJson) output.json({ error: { code, message, request_id: requestId, details } })
  else output.note(...lines)
  return exitCode
}
