import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'

/* Helps programs of a release that start under a Node that is too old for the service. This file itself runs on Node 20. */

/**
 * The path of a Node that can run the service: this process's, or that of the installed package. Ends the process if there is
 * none.
 */
export function findNode(): string {
  const node = isRecent(process.versions.node) ? process.execPath : findPackagedNode()
  if (node !== null) return node
  console.error(
    `The service needs Node 24.7 or later, and this is ${process.versions.node}: install a later one (https://nodejs.org), or the service with its optional packages.`,
  )
  process.exit(1)
}

/** Whether this version of Node can hash passwords: `argon2` of `node:crypto` was added in 24.7. */
function isRecent(node: string): boolean {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 7)
}

/** The Node that is installed as a package, which `npx` and `npm run` find; null if it was not installed. */
function findPackagedNode(): string | null {
  try {
    const node = createRequire(import.meta.url).resolve('node/bin/node')
    accessSync(node, constants.X_OK)
    return node
  } catch {
    return null
  }
}

/**
 * Runs the program with this Node instead: in place of this process where that is possible, or else as its child. Never
 * resolves.
 */
export async function runWithNode(node: string, parameters: readonly string[]): Promise<never> {
  // `execve` exists since Node 22.15.
  if (process.execve !== undefined) process.execve(node, [node, ...parameters], process.env)
  const child = spawn(node, parameters, { stdio: 'inherit' })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', ({ message }) => {
    console.error(`${node} cannot be run: ${message}`)
    process.exit(1)
  })
  child.on('close', (code, signal) => {
    for (const each of signals) process.removeAllListeners(each)
    if (signal !== null) process.kill(process.pid, signal)
    else process.exit(code ?? 1)
  })
  return new Promise(() => {})
}
