#!/usr/bin/env node
import { accessSync, constants, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/*
 * The program `entitlements-service` of a release: runs one of the scripts of its package.json, as `npm run` does, and without
 * a name the server. It replaces itself with that script's process, so signals reach the script.
 */

const root = fileURLToPath(new URL('../../', import.meta.url))
const { version, scripts }: { version: string; scripts: Record<string, string> } = JSON.parse(
  readFileSync(`${root}package.json`, 'utf8'),
)

const [name = 'start', ...options] = process.argv.slice(2)
const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
if (name === '--version') {
  console.log(version)
} else if (script !== undefined) {
  run(script)
} else {
  const isAskingHelp = ['--help', '-h'].includes(name)
  const print = isAskingHelp ? console.log : console.error
  const commands = Object.keys(scripts).join('\n  ')
  print(`Usage: entitlements-service [COMMAND] [OPTIONS]\n\nThe server, or one of these commands:\n\n  ${commands}`)
  process.exitCode = isAskingHelp ? 0 : 1
}

function run(script: string): void {
  const node = isRecent(process.versions.node) ? process.execPath : findPackagedNode()
  if (node === null || process.execve === undefined) {
    console.error(`The service needs Node 24.7 or later, and this is ${process.versions.node}.`)
    console.error('Install a later one (https://nodejs.org), or the service with its optional packages.')
    process.exitCode = 1
    return
  }
  // exec node --flag src/main.js api
  const words = script.split(' ').slice(script.startsWith('exec ') ? 2 : 1)
  const parameters = words.map((word) => (/\.[jt]s$/.test(word) ? root + word : word))
  process.execve(node, [node, ...parameters, ...options], process.env)
}

/** Passwords are hashed by `argon2` of `node:crypto`, which came with 24.7. */
function isRecent(node: string): boolean {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 7)
}

/** The Node among the packages, which `npx` and `npm run` find by themselves; null if it was not installed. */
function findPackagedNode(): string | null {
  try {
    const node = createRequire(import.meta.url).resolve('node/bin/node')
    accessSync(node, constants.X_OK)
    return node
  } catch {
    return null
  }
}
