import { z } from 'zod'
import { followFlagsRoute } from '../../../rest/ofrep/follow-flags.ts'
import { describeRestApi } from '../../../rest/openapi/document.ts'
import { queryFieldsOf, readsQuery } from '../../../rest/query.ts'
import { restRoutes } from '../../../rest/routes.ts'
import { type JsonSchema, jsonSchemaOf } from '../../../src/core/input-schema.ts'
import type { AnyOperation } from '../../../src/operation/operation.ts'
import { exampleBody } from '../../support/example-body.ts'
import type { Request } from '../client.ts'
import type { ServerRoute } from '../report-cpu.ts'
import type { CallerKind } from './callers.ts'
import { lengthsOf, longest, type Position, withText } from './position.ts'

/** A route with the operation behind it, if there is one. */
type Route = ServerRoute & { operation: AnyOperation | undefined; callers: CallerKind[] }

const operations = new Map(
  [...restRoutes, followFlagsRoute].map(({ operation }) => [
    `${operation.method} ${operation.route.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    operation,
  ]),
)

/** Everyone may try; who may do it reaches more of the code. The writes that a role may not do are recorded. */
function callersOf(operation: AnyOperation | undefined): CallerKind[] {
  if (!operation || /^(sign_in|open_read)$/.test(operation.kind)) return ['anonymous']
  if (operation.kind.startsWith('user_')) return ['anonymous', 'person']
  const tokens = 'tokens' in operation ? operation.tokens : undefined
  if (tokens === 'address') return ['anonymous']
  const members: CallerKind[] = operation.method === 'GET' ? ['admin'] : ['evaluator', 'admin']
  return ['anonymous', ...members, ...(tokens ? (['token'] as const) : [])]
}

function routesOf(served: readonly ServerRoute[]): Route[] {
  return [
    ...served.filter(({ method }) => method !== 'HEAD'),
    // Unknown ones.
    ...['GET', 'POST', 'PROPFIND'].map((method) => ({ method, url: '/*' })),
    ...[...new Set(served.map(({ url }) => url))].map((url) => ({ method: 'PROPFIND', url })),
  ].map((route) => {
    const operation = operations.get(`${route.method} ${route.url}`)
    return { ...route, operation, callers: callersOf(operation) }
  })
}

/** Fastify's names for values in a path. */
const pathValue = /:\w+|\*/g

function requestOf({ method, url, operation }: Route): Request {
  return {
    method,
    path: url.replaceAll(pathValue, 'x'),
    headers: operation ? {} : { accept: 'text/html', 'accept-encoding': 'gzip' },
    ...(operation && !readsQuery(operation) && { body: exampleBody(operation) }),
  }
}

const isSendable = /^[!-~]+$/
const raw = (text: string) => (isSendable.test(text) ? text : null)
const percentEncoded = (text: string) => encodeURIComponent(text.toWellFormed())
const encodings = { raw, encoded: percentEncoded }

/** Of whole targets: the longest one that the service reads, and the longest that Node passes on. */
const targetLengths = [8_100, 15_000]

/** Values in paths and queries, and whatever follows a path. */
export function targetPositions(served: readonly ServerRoute[], oidcCookie: string): Position[] {
  return routesOf(served).flatMap((route) => {
    const base = requestOf(route)
    const { path } = base
    if (route.url.startsWith('/auth/oidc')) base.headers = { ...base.headers, cookie: oidcCookie }
    const values = [...route.url.matchAll(pathValue)].map(({ index, 0: name }) => ({
      name: `path value ${name}`,
      begin: route.url.slice(0, index).replaceAll(pathValue, 'x'),
      end: route.url.slice(index + name.length).replaceAll(pathValue, 'x'),
    }))
    const queries = ['', 'x=', ...queryNamesOf(route).map((name) => `${name}=`)].map((begin) => ({
      name: `query ${begin}`,
      begin: `${path}?${begin}`,
      end: '',
    }))
    const names = route.operation ? [] : [{ name: 'end of the path', begin: path, end: '' }]
    return [...values, ...names, ...queries].flatMap(({ name, begin, end }) =>
      Object.entries(encodings).flatMap(([encoding, encode]) =>
        route.callers.map((caller) => ({
          name: `${route.method} ${route.url}, ${name}, ${encoding}`,
          caller,
          lengths: targetLengths.map((length) => length - begin.length - end.length),
          encode,
          request: (text: string) => ({ ...base, path: begin + text + end }),
        })),
      ),
    )
  })
}

/** Of the identity provider's answer and our own address. */
const oidcNames = ['to', 'code', 'state', 'error', 'iss']

function queryNamesOf({ url, operation }: Route): string[] {
  if (url.startsWith('/auth/oidc')) return oidcNames
  if (!operation || !readsQuery(operation)) return []
  return [...queryFieldsOf(operation)].flatMap(([name, { type }]) =>
    type.kind === 'map' ? [`${name}[key]`, `${name}[`] : [name],
  )
}

/** Headers that the service, its libraries or Node read; the description of the REST API has those of the operations. */
function headerNames(): string[] {
  const { paths } = describeRestApi() as {
    paths: Record<string, Record<string, { parameters?: { in: string; name: string }[] }>>
  }
  const described = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ parameters = [] }) =>
      parameters.filter((each) => each.in === 'header').map(({ name }) => name.toLowerCase()),
    )
  return [
    ...new Set(described),
    ...[
      'user-agent',
      'accept',
      'accept-encoding',
      'accept-language',
      'content-type',
      'content-encoding',
      'cookie',
      'origin',
    ],
    ...[
      'referer',
      'host',
      'range',
      'if-modified-since',
      'last-event-id',
      'traceparent',
      'tracestate',
      'baggage',
      'forwarded',
    ],
    ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-organization-id', 'cache-control', 'x-unknown'],
    ...['access-control-request-method', 'access-control-request-headers', 'sec-fetch-site'],
  ]
}

const credentialHeaders = ['authorization', 'x-api-key']

/** Bytes that Node lets through in a header, as a client sends them. */
function toHeader(text: string): string | null {
  const bytes = Buffer.from(text).toString('latin1')
  return /^[\t\x20-\x7e\x80-\xff]+$/.test(bytes) ? bytes : null
}

/** At each route from the caller who may do the most there, and credentials from anyone. */
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

/** The paths to all text in values of this schema, with the limit of each. */
function textsIn(
  schema: JsonSchema,
  definitions: JsonSchema,
  depth = 6,
): { path: (string | number)[]; limit?: unknown }[] {
  if (depth === 0) return []
  if (typeof schema.$ref === 'string')
    return textsIn(definitions[schema.$ref.slice('#/$defs/'.length)] as JsonSchema, definitions, depth)
  const inside = (name: string | number, inner: unknown) =>
    textsIn(inner as JsonSchema, definitions, depth - 1).map(({ path, limit }) => ({ path: [name, ...path], limit }))
  const {
    properties = {},
    items,
    additionalProperties,
    anyOf,
    oneOf,
  } = schema as {
    properties?: object
    items?: unknown
    additionalProperties?: unknown
    anyOf?: JsonSchema[]
    oneOf?: JsonSchema[]
  }
  return [
    // Text where something else is expected is refused with a message of its own.
    { path: [], limit: schema.type === 'string' ? schema.maxLength : undefined },
    ...Object.entries(properties).flatMap(([name, inner]) => inside(name, inner)),
    ...(items ? inside(0, items) : []),
    ...(additionalProperties ? inside('x', additionalProperties) : []),
    ...[...(anyOf ?? []), ...(oneOf ?? [])].flatMap((each) => textsIn(each, definitions, depth - 1)),
  ]
}

type Field = { path: (string | number)[]; limit?: unknown }

/** Each text once, with the lowest limit. */
function fieldsOf(shape: z.ZodRawShape): Field[] {
  const { $defs = {}, ...schema } = jsonSchemaOf(z.object(shape))
  const all = new Map<string, Field>()
  for (const field of textsIn(schema, $defs as JsonSchema)) {
    const known = all.get(field.path.join('.'))
    if (!known || known.limit === undefined) all.set(field.path.join('.'), field)
  }
  return [...all.values()]
}

const asIs = (text: string) => text

/** Fields of bodies, their names, whole bodies, and the lines of imports. */
export function bodyPositions(served: readonly ServerRoute[]): Position[] {
  return routesOf(served).flatMap((route) => {
    const { operation, callers } = route
    if (!operation || operation.method === 'GET') return []
    const base = requestOf(route)
    const position = (name: string, lengths: number[], request: (text: string) => Partial<Request>): Position[] =>
      callers.map((caller) => ({
        name: `${route.method} ${route.url}, ${name}`,
        caller,
        lengths,
        encode: asIs,
        request: (text) => ({ ...base, ...request(text) }),
      }))
    const whole = ['application/json', 'application/x-ndjson', 'text/csv'].flatMap((type) =>
      position(`body as ${type}`, [longest], (text) => ({ body: text, headers: { 'content-type': type } })),
    )
    if (operation.kind === 'bulk_write') {
      const { shape } = operation.line
      const line = { subscriber_id: 'x' }
      return [
        ...whole,
        ...fieldsOf(shape).flatMap(({ path, limit }) =>
          position(`line, ${path.join('.')}`, lengthsOf(limit), (text) => ({
            body: JSON.stringify(withText(line, path, text)),
            headers: { 'content-type': 'application/x-ndjson' },
          })),
        ),
        ...Object.keys(shape).flatMap((name) =>
          position(`CSV, ${name}`, [longest], (text) => ({
            body: `${name}\n"${text.replaceAll('"', '""')}"\n${text}`,
            headers: { 'content-type': 'text/csv' },
          })),
        ),
      ]
    }
    const body = base.body
    return [
      ...whole,
      ...position('name of a field', [longest], (text) => ({ body: { ...(body as object), [text]: 1 } })),
      ...fieldsOf(operation.input.shape).flatMap(({ path, limit }) => [
        ...position(`field ${path.join('.')}`, lengthsOf(limit), (text) => ({ body: withText(body, path, text) })),
        ...position(`name in ${path.join('.')}`, [longest], (text) => ({
          body: withText(body, path, { [text]: text }),
        })),
      ]),
    ]
  })
}
