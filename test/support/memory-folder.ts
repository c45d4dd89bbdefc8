import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = 'entitlements-tests-'
const neededBytes = 4e9

/**
 * The folder where the PostgreSQLs of tests keep their data: a new PostgreSQL writes a thousand files, which on a disk take
 * most of its time.
 */
export const parentOfData = (): string => process.env.TEST_DATA_PARENT ?? tmpdir()

/**
 * From now on, in processes that start later too, `parentOfData` is a folder in the memory of the machine, if there is enough.
 * Removes the folders of killed runs. Returns a function that removes the folder.
 */
export function makeMemoryFolder(): () => void {
  try {
    const { bavail, bsize } = statfsSync(memory)
    // A container may have less memory than the folder says.
    const bytes = Math.min(bavail * bsize, process.availableMemory() / 2)
    if (bytes < neededBytes) return () => {}
  } catch {
    return () => {}
  }
  for (const name of readdirSync(memory)) {
    if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length)))) remove(join(memory, name))
  }
  const folder = join(memory, `${prefix}${process.pid}`)
  mkdirSync(folder)
  // Regardless of the umask: PostgreSQL runs as another user.
  chmodSync(folder, 0o1777)
  process.env.TEST_DATA_PARENT = folder
  return () => remove(folder)
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true })

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
