#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { addCompletion } from '../core/completion.ts'
import { findNode, runWithNode } from './newer-node.ts'

/*
 * The program `entitlements-service` of a release: runs a script of its package.json, as `npm run` does. Without a name, it
 * starts the server. The script's process replaces this one, so signals reach the script.
 */

const root = fileURLToPath(new URL('../../', import.meta.url))
const { version, scripts }: { version: string; scripts: Record<string, string> } = JSON.parse(
  readFileSync(`${root}package.json`, 'utf8'),
)

const summaries = {
  start: 'start the service: the API and the worker (the default)',
  api: 'start the API alone',
  worker: 'start the worker alone, which delivers webhooks and ends overrides',
  relay: 'start a relay, which answers checks beside a product',
  demo: 'create an organization with three months of history',
  migrate: 'create or migrate the database',
  import: 'import subscribers from a file',
  'org:create': 'create an organization',
  'org:key': 'create a new admin key',
  'org:usage': 'print how many bytes organizations store',
  'org:limits': "set an organization's limits",
  'org:export': 'print everything that an organization stores',
  'org:delete': 'delete an organization',
  'org:move': 'move an organization to another installation',
  'user:reset-password': 'give an account a new password',
  'master-key:rotate': 'replace the master key',
  'audit:export': 'print the chain of an audit log',
  'audit:verify': 'check the chain of audit logs',
  'changes:reset': 'make followers of changes start over',
  'data:copy': 'copy the embedded database to a PostgreSQL of your own',
  'webhook:listen': 'receive and verify webhooks on this machine',
}

const program = new Command('entitlements-service')
  .description('The Entitlements Service: the server, or one of its commands.')
  .version(version, '-v, --version', 'show the version')
  .helpOption('-h, --help', 'show this help')
  .helpCommand('help [command]', 'show the help of a command')
  .enablePositionalOptions()
for (const [name, summary] of Object.entries(summaries)) {
  // `api`, `worker` and `relay` can also be called by the names of their scripts.
  const script = scripts[name] ?? scripts[`start:${name}`] ?? ''
  const command = program.command(name).description(summary).argument('[options...]')
  if (!Object.hasOwn(scripts, name)) command.alias(`start:${name}`)
  command.helpOption(false).allowUnknownOption().passThroughOptions()
  command.action((options) => run(script, options))
}
addCompletion(program)
const [word = 'start', ...rest] = process.argv.slice(2)
const words = word === 'help' ? toHelpWords(rest[0]) : [word, ...rest]
await program.parseAsync(words, { from: 'user' })

/** Turns `help NAME` into `NAME --help`, because each command prints its own help. */
function toHelpWords(name: string | undefined): string[] {
  if (name === undefined) return ['--help']
  const isCommand = program.commands.some((each) => each.name() === name || each.aliases().includes(name))
  return isCommand ? [name, '--help'] : [name]
}

function run(script: string, options: readonly string[]): Promise<never> {
  // exec node --flag src/main.js api
  const words = script.split(' ').slice(script.startsWith('exec ') ? 2 : 1)
  const parameters = words.map((word) => (/\.[jt]s$/.test(word) ? root + word : word))
  return runWithNode(findNode(), [...parameters, ...options])
}
