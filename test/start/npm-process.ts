import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { basename, delimiter, join, relative } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { inheritedEnv } from '../support/inherited-env.ts'
import { root, temporaryFolder } from './server-process.ts'

/** An environment like a person's shell: `npm` runs on the machine's own Node, which may be older than ours. */
const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
export const environment = {
  ...inheritedEnv,
  PATH: path.join(delimiter),
  HOME: process.env.HOME,
  PORT: '0',
  LOG_LEVEL: 'warn',
}

/** A copy of the checkout, without the files that an installation adds. */
function copyCheckout(): string {
  const folder = temporaryFolder()
  const excluded = ['.git', '.data', 'src/database/generated']
  const isAdded = (source: string) => ['node_modules', 'dist'].includes(basename(source))
  const filter = (source: string) => !isAdded(source) && !excluded.includes(relative(root, source))
  cpSync(root, folder, { recursive: true, filter })
  return folder
}

/** A copy of the checkout, with everything that its installation added. */
export function installedCheckout(): string {
  const folder = copyCheckout()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  cpSync(join(root, 'src/database/generated'), join(folder, 'src/database/generated'), { recursive: true })
  for (const built of ['console', 'packages'])
    cpSync(join(root, 'dist', built), join(folder, 'dist', built), { recursive: true })
  return folder
}

type Script = { child: ChildProcess; output(): string; end(): Promise<number | null> }

export function npmRun(script: string, env: Record<string, string>, cwd = root): Script {
  const child = spawn('npm', ['run', script], {
    cwd,
    env: { ...environment, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  // As Ctrl-C does: signals npm and every process that it started.
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGINT')
    return ended
  }
  onTestFinished(async () => void (await end()))
  return { child, output: () => output, end }
}

const welcomes = (text: string) => text.match(/is running\. Ctrl-C stops it/g)?.length ?? 0

export async function waitUntilServing({ output }: Script, count = 1): Promise<void> {
  await expect.poll(() => welcomes(output())).toBe(count)
  const [, url] = [...output().matchAll(/REST +(\S+)\/org\n/g)].at(-1) ?? []
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
}
