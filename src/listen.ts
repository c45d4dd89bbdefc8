import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { lstat, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { hostForPort, isSocketPath } from './core/public-address.ts'
import { StartupError } from './core/startup-error.ts'

/** `variable` names the environment variable of the port, and `hostVariable` that of the address (`HOST` if absent). */
export type ListenAddress = {
  host: string
  port: number
  /** Whether another process may listen on the same address. */
  isShared?: boolean
  variable: string
  hostVariable?: string
}

type ListenAddresses = {
  listenAddress: ListenAddress
  healthAddress: ListenAddress | null
  metricsAddress: ListenAddress | null
}

/** The addresses to listen on. A separate worker listens only if it has a port, and only for health checks. */
export function findListenAddresses({
  host,
  port,
  reusePort,
  workerPort,
  metricsHost,
  metricsPort,
}: Config): ListenAddresses {
  return {
    listenAddress: { host, port, isShared: reusePort, variable: 'PORT' },
    healthAddress:
      workerPort === undefined ? null : { host: hostForPort(host), port: workerPort, variable: 'WORKER_PORT' },
    metricsAddress:
      metricsPort === undefined
        ? null
        : { host: metricsHost, port: metricsPort, variable: 'METRICS_PORT', hostVariable: 'METRICS_HOST' },
  }
}

/**
 * The number of connections that may wait to be accepted while the process is busy; the system may allow fewer. Node's default
 * is 511. Linux resets further connections after a few seconds, although their clients believe that they are connected.
 */
const backlog = 4096
/** The time limit of a connection to this machine itself. */
const connectTimeoutMs = 1000

/**
 * Throws if the service could not listen on the address; called before the service touches a database or works on jobs. Does
 * not listen on the port: clients of a process that has stopped retry the port, and their connections would be reset.
 */
export async function ensureAddressFree(listenAddress: ListenAddress | null): Promise<void> {
  if (!listenAddress) return
  const { host, port } = listenAddress
  try {
    if (isSocketPath(host)) await listenBriefly(listenAddress)
    else {
      await assertBindable(listenAddress)
      if (port !== 0 && !listenAddress.isShared && (await acceptsConnections({ host, port }))) throw portTakenError
    }
  } catch (error) {
    throw toListenError(error as NodeJS.ErrnoException, listenAddress)
  }
}

const portTakenError = Object.assign(new Error('The port is taken.'), { code: 'EADDRINUSE' })

/** Fails as listening would if the address does not belong to this machine, or if the port may not be opened. */
async function assertBindable({ host, port }: ListenAddress): Promise<void> {
  const { address, family } = await lookup(host)
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  try {
    const bound = once(socket, 'listening')
    socket.bind(port, address)
    await bound
  } catch (error) {
    // Another program may use this port for datagrams, which does not prevent the service from listening.
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
  } finally {
    socket.close()
  }
}

async function acceptsConnections({ host, port }: Pick<ListenAddress, 'host' | 'port'>): Promise<boolean> {
  const loopback = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host]
  const socket = connect({ host: loopback ?? host, port, timeout: connectTimeoutMs })
  socket.once('timeout', () => socket.destroy(new Error('nobody answers')))
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function listenBriefly({ host: path, hostVariable }: ListenAddress): Promise<void> {
  await removeUnusedSocket(path, hostVariable)
  const server = createServer((socket) => socket.destroy()).listen(path)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

/** Starts to listen, and resolves to the address at which the server answers. */
export async function listen(app: FastifyInstance, listenAddress: ListenAddress): Promise<string> {
  const { host, port } = listenAddress
  try {
    await app.listen({ ...addressOf(listenAddress), backlog, ...(listenAddress.isShared && { reusePort: true }) })
  } catch (error) {
    throw toListenError(error as NodeJS.ErrnoException, listenAddress)
  }
  if (isSocketPath(host)) return `unix:${host}`
  const address = app.server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  const hostname = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${actualPort}`
}

/** Options to listen. Every user who may enter the folder of a socket may connect to it, as to a port of this machine. */
function addressOf({ host, port }: ListenAddress) {
  return isSocketPath(host) ? { path: host, readableAll: true, writableAll: true } : { host, port }
}

/** Removes the socket that a killed process has left behind. Throws a StartupError if something else is at the path. */
async function removeUnusedSocket(path: string, variable = 'HOST'): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!found) return
  // Linux refuses a connection to a file as it does to an unused socket.
  if (!found.isSocket()) {
    const kind = found.isDirectory() ? 'folder' : found.isSymbolicLink() ? 'link' : 'file'
    throw new StartupError(
      `${variable} must be the path of a Unix socket, but ${path} is a ${kind}: choose another path.`,
    )
  }
  const socket = connect(path)
  try {
    await once(socket, 'connect')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') await rm(path, { force: true })
  } finally {
    socket.destroy()
  }
}

function toListenError(
  error: NodeJS.ErrnoException,
  { host, port, variable, hostVariable = 'HOST' }: ListenAddress,
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      if (isSocketPath(host))
        return new StartupError(`${host} is taken: stop what listens there, or change ${hostVariable}.`)
      return new StartupError(
        `Port ${port} on ${host} is taken: stop what listens there, or set ${variable} to another port.`,
      )
    case 'EACCES':
      if (isSocketPath(host)) return new StartupError(`${host} cannot be created by this user: change ${hostVariable}.`)
      return new StartupError(`Port ${port} may not be opened by this user: set ${variable} to 1024 or higher.`)
    case 'EINVAL':
    case 'ENAMETOOLONG':
      if (!isSocketPath(host)) return error
      return new StartupError(`${hostVariable} is too long for a Unix socket: choose a path of at most 100 bytes.`)
    case 'ENOENT':
    case 'ENOTDIR':
      return new StartupError(`The folder of ${host} does not exist: create it, or change ${hostVariable}.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartupError(`${hostVariable} must be an address of this machine, but is ${JSON.stringify(host)}.`)
    default:
      return error
  }
}
