import { execFileSync, type SpawnOptions, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartupError } from '../../core/startup-error.ts'

/** How to start PostgreSQL's programs: PostgreSQL refuses to run as root, so root starts it as another user. */
export type RunAs = {
  /** Null means the current user. */
  user: UserIds | null
  /**
   * Whether the user's programs can use a folder whose path the user cannot access, such as a folder in root's home: root
   * enters the folder and starts the program there, and the program refers to the folder as its working directory.
   */
  entersByWorkingDirectory: boolean
  /** The command, with its arguments, that starts a program as the user: it is put before the program and its arguments. */
  prefix: readonly string[]
  spawnOptions: Pick<SpawnOptions, 'uid' | 'gid'>
}

type UserIds = { name: string; uid: number; gid: number }

/** Chooses the user. `owner` is the owner of the data folder, if it exists: PostgreSQL then runs as the folder's owner. */
export function chooseRunAs(owner: number | null, log: (line: string) => void): RunAs {
  if (process.getuid?.() !== 0) return { user: null, entersByWorkingDirectory: false, prefix: [], spawnOptions: {} }
  const user = findUser((each) => each.uid === owner && each.uid !== 0) ?? findOrCreatePostgresUser(log)
  const prefix = [
    'setpriv',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--no-new-privs',
    '--inh-caps=-all',
    '--bounding-set=-all',
    '--',
  ]
  const entersByWorkingDirectory = existsSync('/proc/self/cwd')
  if (isRunnable([...prefix, 'true'])) return { user, entersByWorkingDirectory, prefix, spawnOptions: {} }
  // The options `uid` and `gid` also drop root's rights and groups, but cannot prevent a setuid program from gaining rights.
  return { user, entersByWorkingDirectory, prefix: [], spawnOptions: { uid: user.uid, gid: user.gid } }
}

/** Whether the user may pass through every folder of the path, including the last. */
export function canEnter(folder: string, user: UserIds | null): boolean {
  if (user === null) return true
  const { mode, uid, gid } = statSync(folder)
  const executeBit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  if ((mode & executeBit) === 0) return false
  return folder === dirname(folder) || canEnter(dirname(folder), user)
}

function findOrCreatePostgresUser(log: (line: string) => void): UserIds {
  const findPostgres = () => findUser(({ name }) => name === 'postgres' || name === '_postgres')
  const existing = findPostgres()
  if (existing) return existing

  const shadow = ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/bin/false', 'postgres']
  const busybox = ['adduser', '-S', '-D', '-H', '-s', '/bin/false', 'postgres']
  for (const command of [shadow, busybox]) {
    const created = isRunnable(command) ? findPostgres() : undefined
    if (created) return created
  }
  const nobody = findUser(({ name, uid }) => name === 'nobody' && uid > 0)
  if (nobody) {
    log('There is no user "postgres", and it could not be created: the embedded PostgreSQL runs as "nobody".')
    return nobody
  }
  throw new StartupError(
    'PostgreSQL does not run as root, and the user "postgres" could not be created: create it, start as an ordinary user, or set DATABASE_URL.',
  )
}

function findUser(matches: (user: UserIds) => boolean): UserIds | undefined {
  for (const line of readPasswd().split('\n')) {
    const [name, , uid, gid] = line.split(':')
    const user = { name: name ?? '', uid: Number(uid), gid: Number(gid) }
    if (Number.isInteger(user.uid) && Number.isInteger(user.gid) && matches(user)) return user
  }
  return undefined
}

/** The user's name, or "user <uid>" if no user has this uid. */
export function userName(uid: number): string {
  return findUser((user) => user.uid === uid)?.name ?? `user ${uid}`
}

/** The users of this machine, including those of a directory service if the machine can list them. */
function readPasswd(): string {
  try {
    return execFileSync('getent', ['passwd'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return readFileSync('/etc/passwd', 'utf8')
  }
}

function isRunnable([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore', timeout: 10_000 }).status === 0
}
