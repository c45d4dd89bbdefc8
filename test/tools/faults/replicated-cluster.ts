import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { chooseRunAs, type RunAs } from '../../../src/database/embedded/run-as.ts'
import { administer } from '../../support/administer.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../support/database-proxy.ts'
import { findFreePort } from '../../support/free-port.ts'
import { limitOf } from '../../support/limit-of.ts'
import { parentOfData } from '../../support/memory-folder.ts'

/** The folder of PostgreSQL in Debian's packages; the embedded PostgreSQL has no pg_basebackup. */
const debian = '/usr/lib/postgresql'
export const bin = existsSync(debian) ? join(debian, readdirSync(debian).sort().at(-1) ?? '', 'bin') : ''
export const hasDebianPostgres = existsSync(join(bin, 'pg_basebackup'))

const timeoutMs = limitOf(120_000)
const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'fsync=off']

const isSynchronous = `select count(*) = 1 as value from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`

type ReplicationOptions = {
  /** Whether a commit waits until the standby has it on its disk. */
  isSynchronous?: boolean
  /** Whether a commit waits until the standby has applied it. */
  appliesFirst?: boolean
  /** Additional environment variables of the servers. */
  env?: Record<string, string>
}

/** A primary, and a standby that follows it through its own proxy. */
export class ReplicatedCluster {
  readonly #folder: string
  readonly #runAs: RunAs
  readonly #env: Record<string, string>
  readonly #servers: ChildProcess[] = []
  #replication: DatabaseProxy | null = null
  #primaryPort = 0
  #standbyPort = 0

  private constructor(folder: string, runAs: RunAs, env: Record<string, string>) {
    this.#folder = folder
    this.#runAs = runAs
    this.#env = env
  }

  static async start(options: ReplicationOptions = {}): Promise<ReplicatedCluster> {
    const { isSynchronous = false, appliesFirst = false, env = {} } = options
    const folder = mkdtempSync(join(parentOfData(), 'entitlements-failover-'))
    const runAs = chooseRunAs(null, () => {})
    if (runAs.user) chownSync(folder, runAs.user.uid, runAs.user.gid)
    const cluster = new ReplicatedCluster(folder, runAs, env)
    try {
      await cluster.#startPrimary()
      await cluster.#startStandby()
      if (isSynchronous || appliesFirst) await cluster.#waitForStandby()
      if (appliesFirst) await cluster.configure(`synchronous_commit = 'remote_apply'`)
      return cluster
    } catch (error) {
      await cluster.remove()
      throw error
    }
  }

  get url(): string {
    return this.superuserUrl
  }

  get standbyUrl(): string {
    return addressOf(this.#standbyPort, 'entitlements')
  }

  get superuserUrl(): string {
    return addressOf(this.#primaryPort, 'entitlements')
  }

  /** Makes a base backup of the primary, starts it as a server of its own, and returns its address. */
  async startBackup(): Promise<string> {
    const data = join(this.#folder, 'backup')
    await this.#backUp(data, `${this.#primaryPort}`)
    return addressOf(await this.#startServer(data), 'entitlements')
  }

  /** Resolves when the standby has everything that the primary has now. */
  async catchUp(): Promise<void> {
    // This commit flushes the write-ahead log, including earlier commits that did not wait. Without a message in the log, the
    // commit would not wait either.
    await this.#ask(this.#primaryPort, `select pg_logical_emit_message(true, 'catch up', '')`)
    const lsn = await this.#ask(this.#primaryPort, 'select pg_current_wal_lsn()::text as value')
    await this.#until(this.#standbyPort, `select pg_last_wal_replay_lsn() >= '${lsn}' as value`)
  }

  /** Waits like `catchUp`, and then stops replication: the standby receives nothing more. */
  async stopReplication(): Promise<void> {
    await this.catchUp()
    this.#replication?.freeze()
  }

  /** Sets a variable of the primary for every connection at once, as an operator does. */
  async configure(setting: string): Promise<void> {
    await this.#ask(this.#primaryPort, `alter system set ${setting}`)
    await this.#ask(this.#primaryPort, 'select pg_reload_conf()')
  }

  /** Ends the primary as a crash does: without a checkpoint. */
  async killPrimary(): Promise<void> {
    const [primary] = this.#servers
    primary?.kill('SIGQUIT')
    if (primary?.exitCode === null) await once(primary, 'exit')
  }

  /** Starts a killed primary again, on another port; the standby follows it again, unless it was promoted. */
  async startPrimaryAgain(): Promise<string> {
    const port = await this.#startServer(join(this.#folder, 'primary'))
    this.#servers[0] = this.#servers.pop() as ChildProcess
    const url = addressOf(port, 'entitlements')
    this.#replication?.routeTo(url)
    if (this.#primaryPort !== this.#standbyPort) this.#primaryPort = port
    return url
  }

  /** Freezes all processes of the primary, or continues them. */
  signalPrimary(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const { pid } = this.#servers[0] as ChildProcess
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    for (const each of [pid, ...children.map(Number)]) {
      try {
        process.kill(each as number, signal)
      } catch {
        // The process ended meanwhile.
      }
    }
  }

  /** Resolves when the primary's commits wait for the standby. */
  async isFollowed(): Promise<void> {
    await this.#until(this.#primaryPort, isSynchronous)
  }

  /** Removes the primary, including what the standby did not receive, and promotes the standby. */
  async failOver(): Promise<void> {
    await this.killPrimary()
    await this.promote()
  }

  /** Promotes the standby of a killed primary. */
  async promote(): Promise<void> {
    await this.#ask(this.#standbyPort, 'select pg_promote() as value')
    await this.#until(this.#standbyPort, 'select not pg_is_in_recovery() as value')
    this.#primaryPort = this.#standbyPort
  }

  async remove(): Promise<void> {
    for (const server of this.#servers) {
      if (server.exitCode !== null || server.signalCode !== null) continue
      const ended = once(server, 'exit')
      server.kill('SIGQUIT')
      await ended
    }
    await this.#replication?.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #startPrimary(): Promise<void> {
    const data = join(this.#folder, 'primary')
    await this.#run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync')
    this.#primaryPort = await this.#startServer(data)
    await administer(addressOf(this.#primaryPort, 'postgres'), 'create database entitlements')
  }

  async #startStandby(): Promise<void> {
    const data = join(this.#folder, 'standby')
    this.#replication = await startDatabaseProxy(this.superuserUrl)
    const { port } = new URL(this.#replication.url)
    await this.#backUp(data, port, '-R')
    this.#standbyPort = await this.#startServer(data)
  }

  /** From now on each commit waits for the standby. */
  async #waitForStandby(): Promise<void> {
    await this.configure(`synchronous_standby_names = '*'`)
    await this.isFollowed()
  }

  async #backUp(data: string, port: string, ...more: string[]): Promise<void> {
    const from = ['-h', '127.0.0.1', '-p', port, '-U', 'postgres']
    await this.#run('pg_basebackup', '-D', data, ...from, '--no-sync', '-cfast', ...more)
  }

  async #startServer(data: string): Promise<number> {
    const port = await findFreePort()
    const flags = [...settings, `port=${port}`].flatMap((setting) => ['-c', setting])
    // Set the variables as the server's user, who owns the files that a preloaded library opens.
    const env = ['env', ...Object.entries(this.#env).map(([name, value]) => `${name}=${value}`)]
    const [program = '', ...args] = [...this.#runAs.prefix, ...env, join(bin, 'postgres'), '-D', data, ...flags]
    this.#servers.push(spawn(program, args, { cwd: '/', stdio: 'ignore', ...this.#runAs.spawnOptions }))
    await this.#until(port, 'select true as value')
    return port
  }

  async #run(name: string, ...args: string[]): Promise<void> {
    const [program = '', ...all] = [...this.#runAs.prefix, join(bin, name), ...args]
    await promisify(execFile)(program, all, { cwd: '/', timeout: timeoutMs, ...this.#runAs.spawnOptions })
  }

  async #ask(port: number, sql: string): Promise<unknown> {
    const client = new pg.Client({ connectionString: addressOf(port, 'postgres'), connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(sql)).rows[0]?.value
    } finally {
      await client.end().catch(() => {})
    }
  }

  async #until(port: number, sql: string): Promise<void> {
    for (const endsAt = Date.now() + timeoutMs; ; await wait(50)) {
      const failure = await this.#ask(port, sql).then(
        (isSo) => (isSo ? null : new Error(`In ${timeoutMs / 1000} s this did not come true: ${sql}`)),
        (error) => error,
      )
      if (failure === null) return
      if (Date.now() > endsAt) throw failure
    }
  }
}

function addressOf(port: number, database: string): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`
}
