import type { FastifyInstance } from 'fastify'
import { serveDocs } from '../rest/docs/serve.ts'
import { serveKeySet } from '../rest/key-set.ts'
import { followFlagsRoute } from '../rest/ofrep/follow-flags.ts'
import { serveReference } from '../rest/openapi/serve.ts'
import { registerRestRoutes } from '../rest/router.ts'
import { restRoutes } from '../rest/routes.ts'
import { isApiKey } from './access/api-key.ts'
import { registerGraphql } from './graphql/register-graphql.ts'
import { registerHealth } from './health.ts'
import { limitParsedBodies } from './http/body.ts'
import { createServer } from './http/create-server.ts'
import { drainRequests } from './http/drain-requests.ts'
import { endConnectionsAtClose } from './http/end-connections.ts'
import { watchForwardedHeaders } from './http/forwarded.ts'
import { requireHost } from './http/host.ts'
import { limitAnonymousClients } from './http/limit-anonymous-clients.ts'
import { limitConnections } from './http/limit-connections.ts'
import { limitParsing } from './http/limit-parsing.ts'
import { limitTarget } from './http/limit-target.ts'
import { addServer } from './measure.ts'
import { onceAborted } from './operation/slots.ts'
import { createServices, type ServicesDependencies } from './services.ts'
import { scalarScript } from './web/console-sources.ts'
import { loadPackages } from './web/packages.ts'
import { serveConsole } from './web/serve-console.ts'
import { servePackages } from './web/serve-packages.ts'

type AppDependencies = ServicesDependencies & {
  /** Aborts when the process must stop, some time before the app is closed: see drain-requests.ts. */
  stopping?: AbortSignal
  /** Aborts when another process replaces this one, while the service stays ready. */
  leaving?: AbortSignal
}

/** Creates a server with both APIs, which does not listen yet. Closing it waits for running requests. */
export async function createApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, database, logger, metrics, tracing, stopping, outdated } = dependencies
  const ending = AbortSignal.any([stopping, dependencies.leaving].filter((signal) => signal !== undefined))
  const { services, close } = await createServices(dependencies)
  const app = createServer(config, { tracing, takesPages: true })
  if (metrics) addServer(metrics, app)
  limitParsing(app, config, logger)
  limitConnections(app, config, logger)
  limitAnonymousClients(app, isApiKey)
  limitTarget(app)
  requireHost(app)
  watchForwardedHeaders(app, config, logger)
  app.addHook('onClose', close)
  drainRequests(app, ending)
  // End streams at once, because followers and exports can continue at another process; a stop waits for all other answers.
  // An outdated process may no longer read the database.
  const endStreams = () => {
    services.changes.end()
    services.ending.abort()
  }
  ending.addEventListener('abort', endStreams, { once: true })
  if (outdated) onceAborted(outdated, endStreams)
  app.addHook('preClose', async () => endStreams())
  endConnectionsAtClose(app)
  registerHealth(app, { database, stopping, outdated })
  serveReference(app, { scalarScript })
  serveDocs(app, { address: services.address, loadPackages })
  limitParsedBodies(app, config)
  registerRestRoutes(app, services, [...restRoutes, followFlagsRoute], config.bodyLimitBytes)
  serveKeySet(app, services)
  const { oidc } = services.identity
  if (oidc) (await import('../rest/oidc/serve.ts')).serveOidc(app, services, oidc)
  serveConsole(app)
  servePackages(app)
  // Must be last: awaiting a plugin loads all plugins registered so far, and they keep the error handler that is set then.
  await registerGraphql(app, services, config)
  return app
}
