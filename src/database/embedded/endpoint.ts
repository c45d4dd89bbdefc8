import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

/** Where the server listens: on a Unix socket in this folder, or on a port of 127.0.0.1. */
export type Endpoint = { socketFolder: string } | { port: number }

/** Every client expects this number in the socket's name. */
const socketPort = 5432

/** The maximum length of a socket's path in bytes, without the terminating zero. */
const maxSocketPath = process.platform === 'linux' ? 107 : 103

/**
 * Chooses a Unix socket in the data folder, which only its owner may enter, so that other users of the machine cannot use up
 * the server's connections with incomplete sign-ins; TCP if such sockets are not supported or the folder's path is too long.
 */
export async function chooseEndpoint(folder: string): Promise<Endpoint> {
  if (await canContainSocket(join(folder, `.s.PGSQL.${socketPort}`))) return { socketFolder: folder }
  return { port: await freePort() }
}

/**
 * PostgreSQL's settings for the endpoint. The socket's folder is `.`, because the server's working directory is its data
 * folder.
 */
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
 * An address that psql, libpq and the driver understand: the parameter `host` overrides the host name that a URL needs, and
 * the port keeps PGPORT from changing the socket's name.
 */
export function addressAt(
  endpoint: Endpoint,
  { user, password, database }: Record<'user' | 'password' | 'database', string>,
): URL {
  if ('port' in endpoint) return new URL(`postgres://${user}:${password}@127.0.0.1:${endpoint.port}/${database}`)
  // Encodes spaces as %20, because libpq does not decode + as a space.
  const host = endpoint.socketFolder.split('/').map(encodeURIComponent).join('/')
  return new URL(`postgres://${user}:${password}@localhost:${socketPort}/${database}?host=${host}`)
}

/** Removes the socket of a killed server and the socket's lock file, whose process id may now belong to another process. */
export function removeStaleSocket(folder: string): void {
  for (const name of [`.s.PGSQL.${socketPort}`, `.s.PGSQL.${socketPort}.lock`])
    rmSync(join(folder, name), { force: true })
}

/**
 * Tries to make a socket: some network shares and shared folders of virtual machines support no sockets, or no modes for
 * sockets.
 */
async function canContainSocket(path: string): Promise<boolean> {
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
