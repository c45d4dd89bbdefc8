import { describeRestApi } from '../../../../rest/openapi/document.ts'
import type { ServerRoute } from '../report-cpu.ts'
import type { CallerKind } from './callers.ts'
import type { Position } from './position.ts'
import { requestOf, routesOf } from './routes.ts'

/** The headers that the service, its libraries or Node read, besides those that the description of the REST API names. */
const commonHeaders = [
  'user-agent accept accept-encoding accept-language content-type content-encoding cookie origin referer host range',
  'if-modified-since last-event-id traceparent tracestate baggage forwarded x-forwarded-for x-forwarded-host',
  'x-forwarded-proto x-organization-id cache-control access-control-request-method access-control-request-headers',
  'sec-fetch-site x-unknown',
].flatMap((line) => line.split(' '))

type Described = { paths: Record<string, Record<string, { parameters?: { in: string; name: string }[] }>> }

function headerNames(): string[] {
  const { paths } = describeRestApi() as Described
  const parameters = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap(({ parameters = [] }) => parameters),
  )
  const described = parameters.filter((each) => each.in === 'header').map(({ name }) => name.toLowerCase())
  return [...new Set([...commonHeaders, ...described])]
}

const credentialHeaders = ['authorization', 'x-api-key']

/** Bytes that Node allows in a header, as a client sends them. */
function toHeader(text: string): string | null {
  const bytes = Buffer.from(text).toString('latin1')
  return /^[\t\x20-\x7e\x80-\xff]+$/.test(bytes) ? bytes : null
}

/** Headers at each route from the caller with the most rights there, and credentials from anyone. */
export function headerPositions(served: readonly ServerRoute[], ownOrigin: string): Position[] {
  const names = headerNames()
  return routesOf(served)
    .filter(({ method }) => method !== 'PROPFIND')
    .flatMap((route) => {
      const base = requestOf(route)
      const position = (caller: CallerKind, name: string, begin = ''): Position => ({
        name: `${route.method} ${route.url}, header ${name} ${begin}`,
        caller,
        lengths: [14_000],
        encode: toHeader,
        request: (text) => ({
          ...base,
          // Cookies count only for pages of the service itself.
          headers: { ...base.headers, ...(name === 'cookie' && { origin: ownOrigin }), [name]: begin + text },
        }),
      })
      return [
        ...names.map((name) => position(route.callers.at(-1) as CallerKind, name)),
        ...credentialHeaders.map((name) => position('anonymous', name)),
        position('anonymous', 'authorization', 'Bearer '),
        position('anonymous', 'cookie', 'ent_user='),
      ]
    })
}
