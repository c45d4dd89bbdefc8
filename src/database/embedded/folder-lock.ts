import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { StartupError } from '../../core/startup-error.ts'
import { startTimeOf } from './processes.ts'

type LockOwner = { pid: number; startTime: string | null }

/**
 * Locks the data folder for this process, until the returned function releases it. Takes over the lock of a killed process;
 * throws a StartupError if a living process holds it.
 */
export function lockFolder(dataDir: string): () => void {
  const file = `${dataDir}/lock`
  const thisProcess: LockOwner = { pid: process.pid, startTime: startTimeOf(process.pid) }
  const text = `${JSON.stringify(thisProcess)}\n`
  // Written under another name and then linked, so that no process reads an incomplete lock.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o644 })
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      if (tryLink(draft, file)) return () => releaseLock(file, text)
      removeStaleLock(dataDir, file)
    }
    throw new StartupError(`The data folder ${dataDir} is in use by another server that is just starting.`)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The process id of the living owner of the data folder's lock, or null. */
export function findLockOwner(dataDir: string): number | null {
  const owner = parseLockOwner(readIfPresent(`${dataDir}/lock`) ?? '')
  return owner !== null && isOwnerAlive(owner) ? owner.pid : null
}

function removeStaleLock(dataDir: string, file: string): void {
  const staleText = readIfPresent(file)
  if (staleText === null) return
  assertLockOwnerStopped(dataDir, staleText)
  const stalePath = `${file}.stale.${process.pid}`
  try {
    renameSync(file, stalePath)
  } catch {
    return
  }
  // If another process was faster, the renamed file is that process's new lock, which must be put back.
  const movedText = readIfPresent(stalePath)
  if (movedText !== null && movedText !== staleText) tryLink(stalePath, file)
  rmSync(stalePath, { force: true })
}

function assertLockOwnerStopped(dataDir: string, text: string): void {
  const owner = parseLockOwner(text)
  if (owner === null) return
  if (!isOwnerAlive(owner) || owner.pid === process.pid) return
  throw new StartupError(
    `The data folder ${dataDir} is in use by the server with process id ${owner.pid}: stop that server, or set DATA_DIR to another folder.`,
  )
}

function isOwnerAlive({ pid, startTime }: LockOwner): boolean {
  return startTime !== null && startTimeOf(pid) === startTime
}

function releaseLock(file: string, text: string): void {
  if (readIfPresent(file) === text) rmSync(file, { force: true })
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

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function parseLockOwner(text: string): LockOwner | null {
  try {
    return JSON.parse(text) as LockOwner
  } catch {
    return null
  }
}
