import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { reasonOf, StartupError } from '../core/startup-error.ts'
import { prepareBinaries } from './embedded/binaries.ts'
import { ensureCluster } from './embedded/cluster.ts'
import { addressAt } from './embedded/endpoint.ts'
import { lockFolder } from './embedded/folder-lock.ts'
import { signalIfRunning, startPostmaster, stopOrphan, stopPostmaster } from './embedded/postmaster.ts'
import { canEnter, chooseRunAs, type RunAs, userName } from './embedded/run-as.ts'
import { type Addresses, ensureServiceDatabase } from './embedded/service-role.ts'

export type EmbeddedPostgres = Addresses & {
  /** Resolves when the server has ended, through `stop` or on its own. */
  ended: Promise<void>
  /** Stops the server cleanly and releases the folder. */
  stop(): Promise<void>
}

type EmbeddedOptions = {
  /** The absolute path of the data folder, which is created if it does not exist. */
  dataDir: string
  /** Prints a line for the person at the terminal. */
  log: (line: string) => void
  /** PostgreSQL settings that extend or replace `defaultSettings`. */
  settings?: Record<string, string>
}

/**
 * Starts the embedded PostgreSQL on the data folder. Only this user can connect: the server has a password, and listens on a
 * Unix socket in the folder if possible. While it runs, the file `database-url` in the folder contains the address. First
 * cleans up after an earlier process that was killed.
 */
export async function startEmbeddedPostgres({ dataDir, log, settings }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  makeFolder(dataDir)
  const unlock = lockFolder(dataDir)
  try {
    return await start(dataDir, unlock, log, settings)
  } catch (error) {
    unlock()
    throw error
  }
}

/** The file with the address of the running server. */
export function addressFile(dataDir: string): string {
  return join(dataDir, 'database-url')
}

async function start(
  dataDir: string,
  unlock: () => void,
  log: (line: string) => void,
  overrides: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  rmSync(addressFile(dataDir), { force: true })
  const runAs = chooseRunAs(ownerOf(join(dataDir, 'postgres')), log)
  const folder = clusterFolder(dataDir, runAs, log)
  assertOwnedByUser(folder, runAs)
  const binaries = prepareBinaries(runAs, dataDir)
  await stopOrphan(folder)
  const password = await ensureCluster(folder, binaries, runAs, overrides.fsync !== 'off')
  const logFile = join(dataDir, 'postgres.log')
  const postmaster = await startPostmaster({
    folder,
    logFile,
    binaries,
    runAs,
    settings: { ...defaultSettings, ...overrides },
  })
  // Stops the server even if the process ends without calling `stop`, for example after an uncaught error.
  const endWithProcess = () => signalIfRunning(postmaster.pid, 'SIGINT')
  process.once('exit', endWithProcess)

  const stop = async () => {
    rmSync(addressFile(dataDir), { force: true })
    await stopPostmaster(postmaster.pid)
    process.off('exit', endWithProcess)
    unlock()
  }
  try {
    const addresses = await ensureServiceDatabase((user, database) =>
      addressAt(postmaster.endpoint, { user, password, database }),
    )
    writeFileSync(addressFile(dataDir), `${addresses.url}\n`, { mode: 0o600 })
    return { ...addresses, ended: postmaster.ended, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const defaultSettings = {
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(join(dataDir, '.writable'), '')
    rmSync(join(dataDir, '.writable'))
  } catch (error) {
    throw new StartupError(`The data folder ${dataDir} cannot be written: ${reasonOf(error)}`)
  }
}

/** The owner's uid, or null if the folder does not exist or is not visible to this user. */
function ownerOf(folder: string): number | null {
  return existsSync(folder) ? statSync(folder).uid : null
}

/**
 * Throws a StartupError if the folder belongs to another user, for example after a copy, because PostgreSQL would refuse it.
 */
function assertOwnedByUser(folder: string, { user }: RunAs): void {
  const owner = ownerOf(folder)
  const uid = user?.uid ?? process.getuid?.()
  if (owner === null || uid === undefined || owner === uid) return
  throw new StartupError(
    `${folder} belongs to ${userName(owner)}, but the embedded PostgreSQL runs as ${userName(uid)}: make that user the owner with \`chown -R ${uid} ${folder}\`, or set DATA_DIR to another folder.`,
  )
}

/** The folder of the cluster: inside the data folder, unless PostgreSQL's user cannot access it. */
function clusterFolder(dataDir: string, runAs: RunAs, log: (line: string) => void): string {
  const { user, entersByWorkingDirectory } = runAs
  if (user === null || entersByWorkingDirectory) return join(dataDir, 'postgres')
  // Lets other users pass through the folder. They cannot read the secrets in it, because those files have their own modes.
  chmodSync(dataDir, statSync(dataDir).mode | 0o011)
  if (canEnter(dataDir, user)) return join(dataDir, 'postgres')

  const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12)
  const parent = join('/var/lib/entitlements-service', name)
  mkdirSync(parent, { recursive: true })
  for (const each of [dirname(parent), parent]) chmodSync(each, 0o711)
  log(`The user "${user.name}" cannot access ${dataDir}, so the data of the embedded PostgreSQL is in ${parent}.`)
  return join(parent, 'postgres')
}
