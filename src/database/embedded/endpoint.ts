import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

/** Where the server accepts connections: at a Unix socket in this folder, or at a port of 127.0.0.1. */
export type Endpoint = { socketFolder: string } | { port: number }

/** A part of the socket's name, which every client expects. */
const socketPort = 5432

/** The longest path of a socket in bytes, without the zero at its end. */
const maxSocketPath = process.platform === 'linux' ? 107 : 103

/**
 * A Unix socket in the data folder, which only its owner may enter: other users of the machine cannot use up the server's
 * connections with half sign-ins. TCP where there are no such sockets, or the folder's path is too long for one.
 */
export async function chooseEndpoint(folder: string): Promise<Endpoint> {
  if (await canHoldSocket(join(folder, `.s.PGSQL.${socketPort}`))) return { socketFolder: folder }
  return { port: await freePort() }
}

/** PostgreSQL's settings for it. The server's working directory is its data folder. */
export function settingsFor(endpoint: Endpoint): Record<string, string> {
  if ('port' in endpoint) {
    return { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: `${endpoint.port}` }
  }
  return {
    listen_addresses: '',
    unix_socket_directories: '.',
    unix_socket_permissions: '0700',
    port: `${socketPort}`,
  }
}

/**
 * The address as psql, its library and the driver read it: the parameter `host` precedes the name before the path, which
 * URLs need, and the port keeps PGPORT from changing the socket's name.
 */
export function addressAt(
  endpoint: Endpoint,
  { user, password, database }: Record<'user' | 'password' | 'database', string>,
): URL {
  if ('port' in endpoint) return new URL(`postgres://${user}:${password}@127.0.0.1:${endpoint.port}/${database}`)
  // Percent signs for spaces as well: PostgreSQL's library does not read + as one.
  const host = endpoint.socketFolder.split('/').map(encodeURIComponent).join('/')
  return new URL(`postgres://${user}:${password}@localhost:${socketPort}/${database}?host=${host}`)
}

/** Removes the socket that a killed server left, and its lock, whose process id may belong to another process by now. */
export function removeStaleSocket(folder: string): void {
  for (const name of [`.s.PGSQL.${socketPort}`, `.s.PGSQL.${socketPort}.lock`])
    rmSync(join(folder, name), { force: true })
}

/** Tried out: some network shares, and folders that a virtual machine shares, have no sockets or no modes for them. */
async function canHoldSocket(path: string): Promise<boolean> {
  if (process.platform === 'win32' || Buffer.byteLength(path) > maxSocketPath) return false
  const server = createServer((socket) => socket.destroy())
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
    chmodSync(path, 0o700)
    await new Promise<void>((resolve, reject) => connect(path, resolve).once('error', reject).unref())
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
