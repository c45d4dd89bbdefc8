import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../processes.ts'

const run = promisify(execFile)
const git = async (...words: string[]) => (await run('git', words, { cwd: root })).stdout.trim()

/**
 * A folder with this commit, installed: a git worktree in the system's temporary folder. It stays there for the next run, because
 * npm takes minutes.
 */
export async function checkOut(commit: string): Promise<{ name: string; folder: string }> {
  const id = await git('rev-parse', '--short=10', `${commit}^{commit}`)
  const parent = join(tmpdir(), 'entitlements-reference')
  const folder = join(parent, id)
  const mark = join(folder, 'node_modules/.installed-for-bench')
  if (existsSync(mark)) return { name: id, folder }
  await mkdir(parent, { recursive: true })
  await git('worktree', 'prune')
  if (!existsSync(folder)) await git('worktree', 'add', '--detach', folder, id)
  console.error(`Installing ${id} in ${folder}. Remove it later with git worktree remove --force ${folder}`)
  await install(folder)
  writeFileSync(mark, '')
  return { name: id, folder }
}

async function install(folder: string): Promise<void> {
  try {
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder, maxBuffer: 1e8 })
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    const reason = (stderr ?? message).trim().split('\n').slice(-5).join('\n')
    throw new Error(
      `npm ci failed in ${folder}. The reference needs its packages, from a registry or from npm's cache:\n${reason}`,
    )
  }
}
