import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import type { FastifyInstance } from 'fastify'
import { createYoga } from 'graphql-yoga'
import { readJsonBodies, toBodyRefusal } from '../../rest/body.ts'
import { originOf } from '../../rest/router.ts'
import type { Config } from '../config.ts'
import { DomainError } from '../core/errors.ts'
import { toDomainError } from '../database/outage.ts'
import type { Services } from '../operation/run-operation.ts'
import { boundsPlugins } from './bounds.ts'
import { findCallers, pageOf } from './callers.ts'
import { createGraphqlContext, type GraphqlContext } from './context.ts'
import { errorExtensions, toContractError } from './errors.ts'
import { schema } from './schema.ts'

/** GraphiQL runs from its own page alone: nothing is loaded from elsewhere. */
const graphiqlPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; worker-src 'self' blob:; " +
  "style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; frame-ancestors 'none'"

/** The GraphQL door: POST /graphql, and GraphiQL for browsers at GET /graphql. */
export async function registerGraphql(app: FastifyInstance, services: Services, config: Config): Promise<void> {
  const yoga = createYoga<GraphqlContext>({
    schema,
    graphqlEndpoint: '/graphql',
    graphiql: false,
    landingPage: false,
    cors: false,
    batching: false,
    maskedErrors: false,
    logging: false,
    plugins: [
      ...boundsPlugins,
      {
        onResultProcess: ({ result, setResult, serverContext }) => {
          const { origin } = serverContext as unknown as GraphqlContext
          if (!('errors' in result) || !result.errors) return
          const errors = result.errors.map((error) =>
            toContractError(error as never, origin.requestId, services.logger),
          )
          setResult({ ...result, errors })
        },
      },
    ],
  })

  await app.register(async (scope) => {
    readJsonBodies(scope, config.bodyLimitBytes)
    scope.setErrorHandler((error, request, reply) => {
      const failure = toBodyRefusal(error, config.bodyLimitBytes) ?? toDomainError(error)
      if (failure.status >= 500) services.logger.error({ err: failure.cause ?? failure }, failure.message)
      return reply
        .code(failure.status)
        .send({ errors: [{ message: failure.message, extensions: errorExtensions(failure, request.id) }] })
    })
    if (config.graphiql) {
      const page = renderGraphiQL({ title: 'Entitlements · GraphiQL', defaultQuery, endpoint: '/graphql' })
      scope.get('/graphql', async (request, reply) => {
        if (!request.headers.accept?.includes('text/html')) throw unknownRoute()
        return reply.type('text/html; charset=utf-8').header('content-security-policy', graphiqlPolicy).send(page)
      })
    }
    scope.post('/graphql', async (request, reply) => {
      const origin = originOf(request, services)
      const page = pageOf(request, reply, origin)
      const context = createGraphqlContext(services, origin, page, await findCallers(services, request, page))
      const response = await yoga.fetch(
        'http://service/graphql',
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: request.headers.accept ?? 'application/json' },
          body: JSON.stringify(request.body ?? {}),
        },
        context,
      )
      return reply
        .code(response.status)
        .type(response.headers.get('content-type') ?? 'application/json; charset=utf-8')
        .send(await response.text())
    })
  })
}

function unknownRoute(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such route. Check the method and the path.')
}

const defaultQuery = `# Put your key into the "Headers" tab below: {"X-API-Key": "ent_…"}
query Catalog {
  features { key name kind }
  plans { key name grants { feature kind limit value } }
}
`
