import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { isSocketPath } from './core/public-address.ts'
import { StartupError } from './core/startup-error.ts'

/** `variable` is the name of the port's environment variable, `hostVariable` that of its address, by default `HOST`. */
export type Place = { host: string; port: number; variable: string; hostVariable?: string }

type Places = { place: Place; healthPlace: Place | null; metricsPlace: Place | null }

/** The worker half listens only if it has a port, and only for health checks. */
export function findPlaces({ host, port, workerPort, metricsHost, metricsPort }: Config): Places {
  return {
    place: { host, port, variable: 'PORT' },
    healthPlace: workerPort === undefined ? null : { host, port: workerPort, variable: 'WORKER_PORT' },
    metricsPlace:
      metricsPort === undefined
        ? null
        : { host: metricsHost, port: metricsPort, variable: 'METRICS_PORT', hostVariable: 'METRICS_HOST' },
  }
}

/**
 * Connections that wait to be accepted while the process is busy; the system may allow fewer. Node's default is 511, and Linux
 * resets those beyond it a few seconds later, though their clients believe that they are connected.
 */
const backlog = 4096

/** Throws if the service could not listen there. Called before it touches a database or works on jobs. */
export async function ensureFree(place: Place | null): Promise<void> {
  if (!place) return
  if (isSocketPath(place.host)) await removeUnusedSocket(place.host)
  const server = createServer((socket) => socket.destroy()).listen(addressOf(place))
  try {
    await once(server, 'listening')
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, place)
  }
  server.close()
  await once(server, 'close')
}

/** Resolves to the address at which the server answers. */
export async function listen(app: FastifyInstance, place: Place): Promise<string> {
  const { host, port } = place
  try {
    await app.listen({ ...addressOf(place), backlog })
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, place)
  }
  if (isSocketPath(host)) return `unix:${host}`
  const address = app.server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  const named = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${named.includes(':') ? `[${named}]` : named}:${actualPort}`
}

/** Whoever may enter the folder of a socket may use it, like a port of this machine. */
function addressOf({ host, port }: Place) {
  return isSocketPath(host) ? { path: host, readableAll: true, writableAll: true } : { host, port }
}

/** A process that was killed leaves its socket behind. */
async function removeUnusedSocket(path: string): Promise<void> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') await rm(path, { force: true })
  } finally {
    socket.destroy()
  }
}

function explain(error: NodeJS.ErrnoException, { host, port, variable, hostVariable = 'HOST' }: Place): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      if (isSocketPath(host))
        return new StartupError(`${host} is taken: stop what listens there, or change ${hostVariable}.`)
      return new StartupError(
        `Port ${port} on ${host} is taken: stop what listens there, or set ${variable} to another one.`,
      )
    case 'EACCES':
      if (isSocketPath(host)) return new StartupError(`${host} may not be made by this user: change ${hostVariable}.`)
      return new StartupError(`Port ${port} may not be opened by this user: set ${variable} to one from 1024 on.`)
    case 'ENOENT':
      return new StartupError(`The folder of ${host} does not exist: make it, or change ${hostVariable}.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartupError(`${hostVariable} must be an address of this machine, but is ${JSON.stringify(host)}.`)
    default:
      return error
  }
}
