import { followFlagsRoute } from '../../../../rest/ofrep/follow-flags.ts'
import { readsQuery } from '../../../../rest/query.ts'
import { restRoutes } from '../../../../rest/routes.ts'
import type { AnyOperation } from '../../../../src/operation/operation.ts'
import { exampleBody } from '../../../support/example-body.ts'
import type { Request } from '../client.ts'
import type { ServerRoute } from '../report-cpu.ts'
import type { CallerKind } from './callers.ts'

/** A route with the operation behind it, if there is one. */
export type Route = ServerRoute & { operation: AnyOperation | undefined; callers: CallerKind[] }

const operations = new Map(
  [...restRoutes, followFlagsRoute].map(({ operation }) => [
    `${operation.method} ${operation.route.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    operation,
  ]),
)

const graphqlPath = '/graphql'

/** The callers to try: anyone, and those with the rights, who reach more of the code. Refused writes of a role are recorded. */
function callersOf(url: string, operation: AnyOperation | undefined): CallerKind[] {
  if (url === graphqlPath) return ['anonymous', 'admin']
  if (!operation || /^(sign_in|open_read)$/.test(operation.kind)) return ['anonymous']
  if (operation.kind.startsWith('user_')) return ['anonymous', 'person']
  const tokens = 'tokens' in operation ? operation.tokens : undefined
  if (tokens === 'address') return ['anonymous']
  const members: CallerKind[] = operation.method === 'GET' ? ['admin'] : ['evaluator', 'admin']
  return ['anonymous', ...members, ...(tokens ? (['token'] as const) : [])]
}

/** The addresses that the server serves, and some that it does not. */
export function routesOf(served: readonly ServerRoute[]): Route[] {
  return [
    ...served.filter(({ method }) => method !== 'HEAD'),
    ...['GET', 'POST', 'PROPFIND'].map((method) => ({ method, url: '/*' })),
    ...[...new Set(served.map(({ url }) => url))].map((url) => ({ method: 'PROPFIND', url })),
  ].map((route) => {
    const operation = operations.get(`${route.method} ${route.url}`)
    return { ...route, operation, callers: callersOf(route.url, operation) }
  })
}

/** Fastify's names for values in a path. */
export const pathValue = /:\w+|\*/g

/** A request that the route understands. */
export function requestOf({ method, url, operation }: Route): Request {
  return {
    method,
    path: url.replaceAll(pathValue, 'x'),
    headers: operation ? {} : { accept: 'text/html', 'accept-encoding': 'gzip' },
    ...(operation && !readsQuery(operation) && { body: exampleBody(operation) }),
    ...(method === 'POST' && url === graphqlPath && { body: { query: '{ features { key } }' } }),
  }
}
