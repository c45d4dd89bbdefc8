import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readJsonBodies, toBodyRefusal } from '../../rest/body.ts'
import { originOf } from '../../rest/router.ts'
import type { Config } from '../config.ts'
import { toDomainError } from '../database/outage.ts'
import type { Services } from '../operation/run-operation.ts'
import { findCallers, pageOf } from './callers.ts'
import { createGraphqlContext } from './context.ts'
import { createDocumentRunner, readRequest } from './document.ts'
import { toGraphqlError } from './errors.ts'
import { serveGraphiql } from './graphiql.ts'

/** The GraphQL door: POST /graphql, and GraphiQL for browsers at GET /graphql. */
export async function registerGraphql(app: FastifyInstance, services: Services, config: Config): Promise<void> {
  const runDocument = createDocumentRunner(services.logger)
  await app.register(async (scope) => {
    readJsonBodies(scope, config.bodyLimitBytes)
    scope.setErrorHandler((error, request, reply) => {
      const refusal = toBodyRefusal(error, config.bodyLimitBytes) ?? toDomainError(error)
      if (refusal.status >= 500) {
        services.logger.error({ err: refusal.cause ?? refusal, requestId: request.id }, refusal.message)
      }
      return reply.code(refusal.status).send({ errors: [toGraphqlError(refusal, request.id)] })
    })
    scope.post('/graphql', async (request, reply) => {
      const origin = originOf(request, services)
      const page = pageOf(request, reply, origin)
      const callers = await findCallers(services, request, page)
      const asked = readRequest(request.body)
      const context = createGraphqlContext(services, origin, page, callers)
      const response = await runDocument(asked, context, mediaTypeOf(request))
      return reply
        .code(response.status)
        .type(response.headers.get('content-type') ?? 'application/json')
        .send(await response.text())
    })
    if (config.graphiql) serveGraphiql(scope)
  })
}

const responseType = 'application/graphql-response+json'

/**
 * As "GraphQL over HTTP" has it: clients that read `application/json` take any other status than 200 for a failure of the
 * transport, so a refused document says its status in the extensions alone; in a graphql-response it is the answer's too.
 */
function mediaTypeOf({ headers }: FastifyRequest): string {
  return headers.accept?.includes(responseType) ? responseType : 'application/json'
}
