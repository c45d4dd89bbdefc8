import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { StartupError } from '../../core/startup-error.ts'
import { startTimeOf } from './processes.ts'

type Holder = { pid: number; startTime: string | null }

/**
 * Locks the data folder for this process, until the returned function releases it. Takes over the lock of a killed process;
 * throws a StartupError if a living process holds it.
 */
export function lockFolder(dataDir: string): () => void {
  const file = `${dataDir}/lock`
  const mine: Holder = { pid: process.pid, startTime: startTimeOf(process.pid) }
  const text = `${JSON.stringify(mine)}\n`
  // Linked into place when complete, so that no process reads half a lock.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o644 })
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      if (tryLink(draft, file)) return () => release(file, text)
      removeStaleLock(dataDir, file)
    }
    throw new StartupError(`The data folder ${dataDir} is in use by another server that is just starting.`)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The process id of the living owner of the data folder's lock, or null. */
export function findLockHolder(dataDir: string): number | null {
  const owner = parse(read(`${dataDir}/lock`) ?? '')
  return owner !== null && isLockHolderAlive(owner) ? owner.pid : null
}

function removeStaleLock(dataDir: string, file: string): void {
  const seen = read(file)
  if (seen === null) return
  assertDead(dataDir, seen)
  const stalePath = `${file}.stale.${process.pid}`
  try {
    renameSync(file, stalePath)
  } catch {
    return
  }
  // Another process may have been faster: then the removed file is its new lock, which is put back.
  const taken = read(stalePath)
  if (taken !== null && taken !== seen) tryLink(stalePath, file)
  rmSync(stalePath, { force: true })
}

function assertDead(dataDir: string, text: string): void {
  const owner = parse(text)
  if (owner === null) return
  if (!isLockHolderAlive(owner) || owner.pid === process.pid) return
  throw new StartupError(
    `The data folder ${dataDir} is in use by the server with process id ${owner.pid}: stop that one, or set DATA_DIR to another folder.`,
  )
}

function isLockHolderAlive({ pid, startTime }: Holder): boolean {
  return startTime !== null && startTimeOf(pid) === startTime
}

function release(file: string, text: string): void {
  if (read(file) === text) rmSync(file, { force: true })
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function parse(text: string): Holder | null {
  try {
    return JSON.parse(text) as Holder
  } catch {
    return null
  }
}
