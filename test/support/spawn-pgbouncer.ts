import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'

const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find((path) => spawnSync(path, ['--version']).status === 0)

/** The installed version, such as 1.18.0, or null. */
export const pgbouncerVersion =
  program === undefined ? null : (/[\d.]+/.exec(spawnSync(program, ['--version']).stdout.toString())?.[0] ?? null)

export type PgbouncerOptions = { serverConnections?: number; maxPreparedStatements?: number }

/** `url`: the database's address through it. `troubles`: the warnings and errors in its log so far. */
export type Pgbouncer = { url: string; troubles(): string[]; stop(): Promise<void> }

/** A PgBouncer in transaction mode in front of this database. */
export async function spawnPgbouncer(databaseUrl: string, options: PgbouncerOptions = {}): Promise<Pgbouncer> {
  const { serverConnections = 5, maxPreparedStatements } = options
  const folder = mkdtempSync(join(tmpdir(), 'entitlements-pgbouncer-'))
  const port = await findFreePort()
  const target = new URL(databaseUrl)
  const database = target.pathname.slice(1)
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: serverConnections,
    max_client_conn: 200,
    // By default it does not retry for 15 s after a failed connection.
    server_login_retry: 1,
    ...(maxPreparedStatements !== undefined && { max_prepared_statements: maxPreparedStatements }),
  }
  const address = `host=${target.hostname} port=${target.port || 5432} dbname=${database}`
  const account = `user=${decodeURIComponent(target.username)} password=${decodeURIComponent(target.password)}`
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `[databases]\n${database} = ${address} ${account}\n[pgbouncer]\n${lines.join('\n')}\n`)
  chmodSync(folder, 0o755)

  // PgBouncer refuses to run as root.
  const asUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn(program as string, [file], { stdio: ['ignore', 'ignore', 'pipe'], ...asUser })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const stop = async () => {
    const ended = once(child, 'exit')
    if (child.exitCode === null && child.kill('SIGKILL')) await ended
    rmSync(folder, { recursive: true })
  }
  await untilListening(port).catch(async (error) => {
    await stop()
    throw error
  })
  const through = new URL(databaseUrl)
  through.hostname = '127.0.0.1'
  through.port = `${port}`
  const troubles = () => log.split('\n').filter((line) => /WARNING|ERROR|FATAL/.test(line))
  return { url: through.href, troubles, stop }
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const isListening = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isListening) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('PgBouncer does not listen.')
}
