import { toObject } from '../../src/core/json.ts'
import { version } from '../../src/core/version.ts'
import { noCookies, type RestRoute } from '../route.ts'
import { restResources } from '../routes.ts'
import { type DescribedOperation, describeOperation } from './describe-operation.ts'
import { exampleOf } from './examples.ts'
import { collectRefusals, type Refusals } from './refusals.ts'
import { collectSchemas } from './schemas.ts'
import { type DescribedWebhook, describeWebhooks } from './webhooks.ts'

/** The tag under which the document lists the webhooks. */
const webhookTag = 'Webhook'

/** The REST API as an OpenAPI 3.1 document, built from the table of operations. */
export function describeRestApi(): OpenApiDocument {
  const schemas = collectSchemas()
  const refusals = collectRefusals(schemas)
  const paths: OpenApiDocument['paths'] = {}
  for (const { resource, routes } of restResources) {
    for (const route of routes) {
      const { operation } = route
      const example = exampleOf(operation.name)
      const row = { operation, tag: resource, setsCookies: setsCookies(route), example }
      paths[operation.route] = {
        ...paths[operation.route],
        [operation.method.toLowerCase()]: describeOperation(row, { schemas, refusals }),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'This server.' }],
    tags: restResources.map(({ resource, about }) => ({ name: resource, description: about })),
    paths,
    webhooks: describeWebhooks(webhookTag, schemas),
    components: {
      securitySchemes,
      headers,
      responses: refusals.components,
      schemas: toObject(Object.entries(schemas.components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

export type OpenApiDocument = {
  openapi: string
  info: { title: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, DescribedOperation>>
  webhooks: Record<string, { post: DescribedWebhook }>
  components: {
    schemas: Record<string, object>
    securitySchemes: object
    headers: object
    responses: Refusals['components']
  }
  [name: string]: unknown
}

function setsCookies(route: RestRoute): boolean {
  return 'cookies' in route && route.cookies !== noCookies
}

const info = {
  title: 'Entitlements Service',
  version,
  summary: 'Which features a subscriber may use, and how much of them.',
  description: [
    'All errors have the same format, and their `message` says what to do next. Every answer has the header `X-Request-Id`.',
    'Paginated lists take `limit` and `starting_after`, the last id of the previous page; `has_more` says whether there is a next page.',
    'Writes under `/org` may be repeated safely: with the same `Idempotency-Key`, the same request runs once and gets the first answer again, with `Idempotency-Replayed: true`. Under `/user` the header is ignored.',
    'Times are RFC 3339, in UTC and with milliseconds. Clients should ignore fields that they do not know.',
  ].join(' '),
  contact: { name: 'The operator of this server' },
  license: { name: 'MIT', identifier: 'MIT' },
}

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      'The key of a service account. Requests with this key act in one organization, with the role of the account.',
  },
  bearerKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same key as a Bearer token.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of a personal sign-in, from POST /user/sign-in or from an external identity provider.',
  },
  subscriberToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The token of a subscriber, from POST /org/subscribers/{subscriber_id}/tokens. It gives access to the data of that subscriber only.',
  },
}

const headers = {
  RequestId: {
    description: 'The id of the request, as in the log and the audit log.',
    schema: { type: 'string', pattern: '^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$' },
  },
  RetryAfter: {
    description: 'How many seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 0, maximum: 86_400 },
  },
  Authenticate: {
    description:
      'How to authenticate: `ApiKey`, in the header `X-API-Key`, or `Bearer`, in the header `Authorization`.',
    schema: { type: 'string', maxLength: 255 },
  },
  Revalidated: {
    description: 'The client may cache the answer, and must revalidate it before each use.',
    schema: { type: 'string', const: 'private, no-cache' },
  },
  ETag: {
    description: 'A strong tag of the answer, to send in `If-None-Match` next time.',
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]{22}"$' },
  },
  Replayed: {
    description:
      'Present if the request repeats an earlier one with the same `Idempotency-Key`, and this is the stored first answer.',
    schema: { type: 'string', const: 'true' },
  },
  Session: {
    description: "The token of the console session. Only requests from the service's own pages may use it.",
    schema: { type: 'string', maxLength: 4096 },
  },
}
