import type { FastifyInstance } from 'fastify'
import { StartupError } from './core/startup-error.ts'

/** Resolves to the address at which the server answers. `variable` is the name of the port's variable. */
export async function listen(
  app: FastifyInstance,
  { host, port, variable = 'PORT' }: { host: string; port: number; variable?: string },
): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, host, port, variable)
  }
  const address = app.server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  const named = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${named.includes(':') ? `[${named}]` : named}:${actualPort}`
}

function explain(error: NodeJS.ErrnoException, host: string, port: number, variable: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartupError(
        `Port ${port} on ${host} is taken: stop what listens there, or set ${variable} to another one.`,
      )
    case 'EACCES':
      return new StartupError(`Port ${port} may not be opened by this user: set ${variable} to one from 1024 on.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartupError(`HOST must be an address of this machine, but is ${JSON.stringify(host)}.`)
    default:
      return error
  }
}
