#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findNode, runInstead } from './newer-node.ts'

/*
 * The program `entitlements-service` of a release: runs one of the scripts of its package.json, as `npm run` does, and without
 * a name the server. It replaces itself with that script's process, so signals reach the script.
 */

const root = fileURLToPath(new URL('../../', import.meta.url))
const { version, scripts }: { version: string; scripts: Record<string, string> } = JSON.parse(
  readFileSync(`${root}package.json`, 'utf8'),
)

const [name = 'start', ...options] = process.argv.slice(2)
// `relay`, `api` and `worker` are `start:relay` and so on.
const script = [name, `start:${name}`].filter((each) => Object.hasOwn(scripts, each)).map((each) => scripts[each])[0]
if (name === '--version') {
  console.log(version)
} else if (script !== undefined) {
  await run(script)
} else {
  const isAskingHelp = ['--help', '-h'].includes(name)
  const print = isAskingHelp ? console.log : console.error
  const commands = Object.keys(scripts).join('\n  ')
  print(`Usage: entitlements-service [COMMAND] [OPTIONS]\n\nThe server, or one of these commands:\n\n  ${commands}`)
  process.exitCode = isAskingHelp ? 0 : 1
}

function run(script: string): Promise<never> {
  // exec node --flag src/main.js api
  const words = script.split(' ').slice(script.startsWith('exec ') ? 2 : 1)
  const parameters = words.map((word) => (/\.[jt]s$/.test(word) ? root + word : word))
  return runInstead(findNode(), [...parameters, ...options])
}
