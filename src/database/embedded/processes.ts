import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync } from 'node:fs'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * The start time of the process, as text to compare, or null if no process has this id. A process id alone does not identify a
 * process: after a crash or in a new container, another process may soon have the same id.
 */
export function startTimeOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      // The name in parentheses may contain anything; the start time is field 22, the 20th after the name.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state === 'Z' ? null : (fields[18] ?? null)
    }
    // Otherwise the text would depend on the language and time zone of the process that asks.
    const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env }).trim() || null
  } catch {
    return null
  }
}

/** Whether the process with this id is the PostgreSQL server on the data folder, which is then its working directory. */
export function isPostmasterOf(pid: number, dataFolder: string): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataFolder)
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(dataFolder)
  } catch {
    return false
  }
}

/** Resolves to true once `condition` holds, or to false after `timeoutMs`. */
export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = Date.now() + timeoutMs
  while (!condition()) {
    if (Date.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
  return true
}
